// SPDX-License-Identifier: MIT
// Secured URL VERSION PASSWORD, or Secured URL VERSION STORE rsa|ecdsa: calls a function of tests/apps/secured, or of
// tests/apps/signed, twice by CXF's WSS4JOutInterceptor, and prints what it gave, as JSON; then once with another password, or
// with a Body that is not signed. STORE: a PKCS #12 with key and certificate of "alice".
import java.io.StringReader;
import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import javax.security.auth.callback.CallbackHandler;
import javax.xml.namespace.QName;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMResult;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.ws.Dispatch;
import javax.xml.ws.Service;
import javax.xml.ws.soap.SOAPFaultException;
import org.apache.cxf.jaxws.DispatchImpl;
import org.apache.cxf.ws.security.wss4j.WSS4JOutInterceptor;
import org.apache.wss4j.common.ConfigurationConstants;
import org.apache.wss4j.common.ext.WSPasswordCallback;
import org.w3c.dom.Document;

public class Secured {
    private static final String WSU = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
    private static final String TIMESTAMP = "{Element}{" + WSU + "}Timestamp";
    private static final Map<String, String> METHODS = Map.of(
        "rsa", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", "ecdsa", "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256");

    public static void main(String[] arguments) throws Exception {
        boolean signs = arguments.length == 4;
        String name = signs ? "device" : "lamp", call = signs ? "get" : "token";
        Map<String, Object> proof = signs ? signature(arguments[2], arguments[3], arguments[1]) : password(arguments[2]);
        Service service = Service.create(new URL(arguments[0] + ".wsdl"), new QName("urn:whit:" + name, name));
        QName port = new QName("urn:whit:" + name, name + "Soap" + arguments[1].replace(".", ""));
        String[] first = ask(service, port, proof, call, 40), second = ask(service, port, proof, call, 41);
        if (signs)
            proof.put(ConfigurationConstants.SIGNATURE_PARTS, TIMESTAMP);
        else
            proof = password("sesame");
        String code = "";
        try {
            ask(service, port, proof, call, 42);
        } catch (SOAPFaultException fault) {
            code = fault.getFault().getFaultCodeAsQName().getLocalPart();
            if (arguments[1].equals("1.2"))
                code = ((QName) fault.getFault().getFaultSubcodes().next()).getLocalPart();
        }
        System.out.printf("{\"levels\":[%s,%s],\"calls\":[%s,%s],\"code\":\"%s\"}%n", first[0], second[0], first[1], second[1], code);
    }

    private static String[] ask(Service service, QName port, Map<String, Object> proof, String call, int level) throws Exception {
        Dispatch<Source> dispatch = service.createDispatch(port, Source.class, Service.Mode.PAYLOAD);
        ((DispatchImpl<Source>) dispatch).getClient().getOutInterceptors().add(new WSS4JOutInterceptor(proof));
        String space = port.getNamespaceURI();
        String asked = String.format("<%s xmlns=\"%s\"><level>%d</level></%s>", call, space, level, call);
        DOMResult result = new DOMResult();
        TransformerFactory.newInstance().newTransformer().transform(dispatch.invoke(new StreamSource(new StringReader(asked))), result);
        Document answer = (Document) result.getNode();
        return new String[] {text(answer, space, "level"), text(answer, space, "calls")};
    }

    private static String text(Document answer, String space, String name) {
        return answer.getElementsByTagNameNS(space, name).item(0).getTextContent();
    }

    private static Map<String, Object> password(String password) {
        Map<String, Object> proof = proof("UsernameToken Timestamp", password);
        proof.put(ConfigurationConstants.PASSWORD_TYPE, "PasswordDigest");
        return proof;
    }

    private static Map<String, Object> signature(String store, String method, String version) {
        String envelope = version.equals("1.1") ? "http://schemas.xmlsoap.org/soap/envelope/" : "http://www.w3.org/2003/05/soap-envelope";
        Map<String, Object> proof = proof("Timestamp Signature", "changeit");
        Properties crypto = new Properties();
        crypto.put("org.apache.wss4j.crypto.provider", "org.apache.wss4j.common.crypto.Merlin");
        crypto.put("org.apache.wss4j.crypto.merlin.keystore.type", "pkcs12");
        crypto.put("org.apache.wss4j.crypto.merlin.keystore.password", "changeit");
        crypto.put("org.apache.wss4j.crypto.merlin.keystore.file", store);
        proof.put("crypto", crypto);
        proof.put(ConfigurationConstants.SIG_PROP_REF_ID, "crypto");
        proof.put(ConfigurationConstants.SIG_KEY_ID, "DirectReference");
        proof.put(ConfigurationConstants.SIG_ALGO, METHODS.get(method));
        proof.put(ConfigurationConstants.SIG_DIGEST_ALGO, "http://www.w3.org/2001/04/xmlenc#sha256");
        proof.put(ConfigurationConstants.SIGNATURE_PARTS, TIMESTAMP + ";{Element}{" + envelope + "}Body");
        return proof;
    }

    private static Map<String, Object> proof(String actions, String password) {
        Map<String, Object> proof = new HashMap<>();
        CallbackHandler tell = callbacks -> ((WSPasswordCallback) callbacks[0]).setPassword(password);
        proof.put(ConfigurationConstants.ACTION, actions);
        proof.put(ConfigurationConstants.USER, "alice");
        proof.put(ConfigurationConstants.PW_CALLBACK_REF, tell);
        return proof;
    }
}
