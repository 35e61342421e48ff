// SPDX-License-Identifier: MIT
// node client.js WSDL VERSION TEXT: calls the functions of apps/services and prints what they gave, as JSON.
"use strict";

const soap = require("soap");

async function main(wsdl, version, text) {
  const client = await soap.createClientAsync(wsdl, { forceSoap12Headers: version === "1.2" });
  const port = client.thermostat[version === "1.2" ? "thermostatSoap12" : "thermostatSoap11"];
  const call = (name, given) => new Promise((resolve, reject) => {
    port[name](given, (error, result) => (error ? reject(error) : resolve(result)));
  });
  const said = { echo: (await call("echo", { text })).text };
  const { unit, value } = await call("temperature", { unit: "f" });
  Object.assign(said, { unit, value: Number(value) });
  await call("set_points", { day: 20.5, night: 16 });
  const { day, night } = await call("points", {});
  said.points = [Number(day), Number(night)];
  const read = await call("readings", { newest: 16 });
  said.uptime_s = Number(read.uptime_s);
  said.readings = [read.readings ?? []].flat().map((one) => [Number(one.at_s), Number(one.value)]);
  try {
    await call("set_points", { day: 31, night: 16 });
  } catch (error) {
    const fault = error.root.Envelope.Body.Fault;
    said.fault = fault.faultstring ?? fault.Reason.Text.$value ?? fault.Reason.Text;
    said.code = fault.faultcode ?? fault.Code.Value;
  }
  console.log(JSON.stringify(said));
}

main(...process.argv.slice(2)).catch((error) => { console.error(error); process.exitCode = 1; });
