# SPDX-License-Identifier: MIT
# perl client.pl URL VERSION TEXT: calls the functions of apps/services and prints what they gave, as JSON. SOAP::Lite
# reads the WSDL of RPC only; it is told namespace and place.
use strict;
use warnings;
use utf8;
use JSON::PP;
use SOAP::Lite;
use Encode;

my ($url, $version, $text) = @ARGV;
my $client = SOAP::Lite->new(proxy => $url)->soapversion($version)->default_ns('urn:whit:thermostat');
$client->on_action(sub { '"urn:whit:thermostat#' . $_[1] . '"' });
$client->on_fault(sub { $_[1] });
my $call = sub {
    my ($name, @given) = @_;
    my @data = map { SOAP::Data->name($_->[0] => $_->[1])->type($_->[2] // '') } @given;
    return $client->call($name, @data);
};
my %said = (echo => $call->('echo', ['text', decode('UTF-8', $text), 'string'])->valueof('//text'));
my $temperature = $call->('temperature', ['unit', 'f']);
@said{'unit', 'value'} = ($temperature->valueof('//unit'), 0 + $temperature->valueof('//value'));
$call->('set_points', ['day', '20.5'], ['night', '16']);
my $points = $call->('points');
$said{points} = [0 + $points->valueof('//day'), 0 + $points->valueof('//night')];
my $read = $call->('readings', ['newest', '16']);
$said{uptime_s} = 0 + $read->valueof('//uptime_s');
$said{readings} = [map { [0 + $_->{at_s}, 0 + $_->{value}] } $read->valueof('//readings')];
my $fault = $call->('set_points', ['day', '31'], ['night', '16']);
die "no fault\n" unless $fault->fault;
@said{'fault', 'code'} = ($fault->faultstring, $fault->faultcode);
print encode_json(\%said), "\n";
