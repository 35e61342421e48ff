// SPDX-License-Identifier: MIT
// Client WSDL VERSION TEXT: calls the functions of apps/services by what wsimport or wsdl2java made of the WSDL, and prints what they
// gave, as JSON.
import java.math.BigDecimal;
import java.net.URL;
import java.util.List;
import java.util.StringJoiner;
import javax.xml.ws.Holder;
import javax.xml.ws.soap.SOAPFaultException;
import thermostat.ReadingsResponse;
import thermostat.Thermostat;
import thermostat.Thermostat_Service;

public class Client {
    public static void main(String[] arguments) throws Exception {
        Thermostat_Service service = new Thermostat_Service(new URL(arguments[0]));
        Thermostat port = arguments[1].equals("1.2") ? service.getThermostatSoap12() : service.getThermostatSoap11();
        Holder<String> text = new Holder<>(arguments[2]);
        port.echo(text);
        Holder<String> unit = new Holder<>("f");
        Holder<BigDecimal> value = new Holder<>(), day = new Holder<>(), night = new Holder<>();
        port.temperature(unit, value, new Holder<Boolean>());
        port.setPoints(new BigDecimal("20.5"), new BigDecimal("16"));
        port.points(day, night);
        Holder<Long> uptime = new Holder<>();
        Holder<List<ReadingsResponse.Readings>> read = new Holder<>();
        port.readings((short) 16, uptime, read);
        StringJoiner readings = new StringJoiner(",", "[", "]");
        if (read.value != null)
            for (ReadingsResponse.Readings one : read.value)
                readings.add("[" + one.getAtS() + "," + one.getValue() + "]");
        String fault = "", code = "";
        try {
            port.setPoints(new BigDecimal("31"), new BigDecimal("16"));
        } catch (SOAPFaultException caught) {
            fault = caught.getFault().getFaultString();
            code = caught.getFault().getFaultCodeAsQName().getLocalPart();
        }
        say("{\"echo\":\"%s\",\"unit\":\"%s\",\"value\":%s,\"points\":[%s,%s],\"uptime_s\":%d,\"readings\":%s,\"fault\":\"%s\",\"code\":\"%s\"}",
            quoted(text.value), unit.value, value.value, day.value, night.value, uptime.value, readings, fault, code);
    }

    private static void say(String format, Object... values) throws Exception {
        System.out.write(String.format(format, values).getBytes("UTF-8"));
        System.out.println();
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
