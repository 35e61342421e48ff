// SPDX-License-Identifier: MIT
// node signing.js ORIGIN KEY CERTIFICATE VERSION: calls get of tests/apps/signed twice by npm's soap, whose messages
// xml-crypto signs by RSA, and prints what it gave, as JSON; then once with a Body that is not signed.
"use strict";

const fs = require("fs");
const soap = require("soap");

const BY_RSA = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";    // named, the Body has no enveloped-signature

async function main(origin, key, certificate, version) {
  const client = await soap.createClientAsync(`${origin}/device?wsdl`, { forceSoap12Headers: version === "1.2" });
  const port = client.device[version === "1.2" ? "deviceSoap12" : "deviceSoap11"];
  const sign = (more) => {
    client.setSecurity(new soap.WSSecurityCert(fs.readFileSync(key), fs.readFileSync(certificate, "utf8"), "", more));
  };
  const get = (level) => new Promise((resolve, reject) => {
    port.get({ level }, (error, result) => (error ? reject(error) : resolve(result)));
  });
  const said = { levels: [], calls: [] };
  for (const [level, more] of [[40, {}], [41, { signatureAlgorithm: BY_RSA }]]) {
    sign(more);
    const { level: given, calls } = await get(level);
    said.levels.push(Number(given));
    said.calls.push(Number(calls));
  }
  sign({ excludeReferencesFromSigning: ["Body"] });
  try {
    await get(42);
  } catch (error) {
    const fault = error.root.Envelope.Body.Fault;
    said.code = fault.faultcode ?? fault.Code.Subcode.Value;
  }
  console.log(JSON.stringify(said));
}

main(...process.argv.slice(2)).catch((error) => { console.error(error); process.exitCode = 1; });
