# SPDX-License-Identifier: MIT
"""Clients in other languages. Arguments: the authority's certificate (not for Java), the URL, the data to post."""

NODE = """
const https = require('https'), fs = require('fs'), crypto = require('crypto');
const [ca, url, up] = process.argv.slice(1);
const agent = new https.Agent({keepAlive: true, maxSockets: 1, ca: fs.readFileSync(ca)});
const ask = (method, path, body) => new Promise((done, failed) => {
  const headers = body ? {'Content-Type': 'application/octet-stream', 'Content-Length': body.length} : {};
  const request = https.request(new URL(path, url), {method, agent, headers}, (answer) => {
    const parts = [], resumed = answer.socket.isSessionReused();
    answer.on('data', (part) => parts.push(part));
    answer.on('end', () => {
      const whole = Buffer.concat(parts);
      const said = body ? whole.toString() : crypto.createHash('sha256').update(whole).digest('hex');
      done(`${said} ${resumed}`);
    });
  }).on('error', failed);
  request.end(body);
});
(async () => {
  console.log(await ask('GET', '/big'));
  console.log(await ask('GET', '/big'));
  agent.destroy();
  console.log(await ask('POST', '/sum', fs.readFileSync(up)));
  agent.destroy();
})();
"""

PYTHON = """
import hashlib, ssl, sys
from urllib.request import Request, urlopen
ca, url, up = sys.argv[1:]
context = ssl.create_default_context(cafile=ca)
print(hashlib.sha256(urlopen(f"{url}/big", context=context).read()).hexdigest())
post = Request(f"{url}/sum", open(up, "rb").read(), {"Content-Type": "application/octet-stream"})
print(urlopen(post, context=context).read().decode())
"""

GO = """
package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
)

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func main() {
	pem, err := os.ReadFile(os.Args[1])
	check(err)
	up, err := os.ReadFile(os.Args[3])
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	with := &tls.Config{RootCAs: roots, ClientSessionCache: tls.NewLRUClientSessionCache(4)}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: with}}
	answer, err := client.Get(os.Args[2] + "/big")
	check(err)
	octets, err := io.ReadAll(answer.Body)
	check(err)
	fmt.Printf("%x %v\\n", sha256.Sum256(octets), answer.TLS.DidResume)
	client.CloseIdleConnections()
	answer, err = client.Post(os.Args[2]+"/sum", "application/octet-stream", bytes.NewReader(up))
	check(err)
	octets, err = io.ReadAll(answer.Body)
	check(err)
	fmt.Printf("%s %v\\n", octets, answer.TLS.DidResume)
}
"""

JAVA = """
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;

public class Main {
    public static void main(String[] words) throws Exception {
        for (int i = 0; i < 3; i++) {
            HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            HttpRequest.Builder request = HttpRequest.newBuilder();
            if (i == 1)
                request.uri(URI.create(words[0] + "/sum")).header("Content-Type", "application/octet-stream")
                    .POST(HttpRequest.BodyPublishers.ofFile(Path.of(words[1])));
            else
                request.uri(URI.create(words[0] + "/big"));
            byte[] octets = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray()).body();
            System.out.println(i == 1 ? new String(octets)
                : HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets)));
        }
    }
}
"""
