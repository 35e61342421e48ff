<?php
// SPDX-License-Identifier: MIT
// php client.php WSDL VERSION TEXT: calls the functions of apps/services and prints what they gave, as JSON.
[, $wsdl, $version, $text] = $argv;
$client = new SoapClient($wsdl, [
    "soap_version" => $version === "1.2" ? SOAP_1_2 : SOAP_1_1,
    "cache_wsdl" => WSDL_CACHE_NONE,
    "keep_alive" => true,
]);
$said = ["echo" => $client->echo(["text" => $text])->text];
$temperature = $client->temperature(["unit" => "f"]);
$said += ["unit" => $temperature->unit, "value" => (float) $temperature->value];
$client->set_points(["day" => 20.5, "night" => 16]);
$points = $client->points();
$said += ["points" => [(float) $points->day, (float) $points->night]];
$read = $client->readings(["newest" => 16]);
$records = isset($read->readings) ? (is_array($read->readings) ? $read->readings : [$read->readings]) : [];
$said += ["uptime_s" => $read->uptime_s];
$said += ["readings" => array_map(fn($one) => [$one->at_s, (float) $one->value], $records)];
try {
    $client->set_points(["day" => 31, "night" => 16]);
} catch (SoapFault $fault) {
    $said += ["fault" => $fault->getMessage(), "code" => $fault->faultcode];
}
echo json_encode($said), "\n";
