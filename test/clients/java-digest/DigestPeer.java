import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.sasl.AuthorizeCallback;
import javax.security.sasl.RealmCallback;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;

/**
 * Java's own DIGEST-MD5 with the names that HBase gives it.
 * `USER PASSWORD QOP`: prints a whole login between Java's client and Java's server, with two messages each way, a line each: `NAME HEX`.
 */
public class DigestPeer {
    private static final HexFormat HEX = HexFormat.of();
    private static final String MECHANISM = "DIGEST-MD5";

    public static void main(String[] args) throws Exception {
        Map<String, String> properties = Map.of(Sasl.QOP, args[2], Sasl.SERVER_AUTH, "true");
        CallbackHandler names = callbacks -> answer(callbacks, args[0], args[1]);
        record(properties, names);
    }

    private static void answer(Callback[] callbacks, String user, String password) {
        for (Callback callback : callbacks) {
            if (callback instanceof AuthorizeCallback authorize) {
                authorize.setAuthorized(authorize.getAuthenticationID().equals(authorize.getAuthorizationID()));
            } else if (callback instanceof NameCallback name) {
                if (name.getDefaultName() == null) name.setName(user);
            } else if (callback instanceof PasswordCallback secret) {
                secret.setPassword(password.toCharArray());
            } else if (callback instanceof RealmCallback realm) {
                realm.setText(realm.getDefaultText());
            }
        }
    }

    private static SaslClient client(Map<String, String> properties, CallbackHandler names) throws SaslException {
        return Sasl.createSaslClient(new String[] { MECHANISM }, null, null, "default", properties, names);
    }

    private static SaslServer server(Map<String, String> properties, CallbackHandler names) throws SaslException {
        return Sasl.createSaslServer(MECHANISM, null, "default", properties, names);
    }

    private static void record(Map<String, String> properties, CallbackHandler names) throws SaslException {
        SaslClient client = client(properties, names);
        SaslServer server = server(properties, names);
        byte[] challenge = server.evaluateResponse(new byte[0]);
        print("challenge", challenge);
        byte[] response = client.evaluateChallenge(challenge);
        print("response", response);
        byte[] proof = server.evaluateResponse(response);
        print("proof", proof);
        client.evaluateChallenge(proof);
        if (properties.get(Sasl.QOP).equals("auth")) return;
        for (String text : new String[] { "a", "a message of several blocks" }) {
            byte[] message = text.getBytes(StandardCharsets.UTF_8);
            print("client", client.wrap(message, 0, message.length));
            print("server", server.wrap(message, 0, message.length));
        }
    }

    private static void print(String name, byte[] bytes) {
        System.out.println(name + " " + HEX.formatHex(bytes));
    }
}
