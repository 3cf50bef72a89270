import java.io.BufferedReader;
import java.io.InputStreamReader;
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
 * `record USER PASSWORD QOP`: prints a whole login between Java's client and Java's server, with two messages each way, a line each: `NAME HEX`.
 * `client|server USER PASSWORD QOPS`: one side, which answers a line for each line of its input: `step HEX`, `wrap HEX`, `unwrap HEX`.
 */
public class DigestPeer {
    private static final HexFormat HEX = HexFormat.of();
    private static final String MECHANISM = "DIGEST-MD5";

    public static void main(String[] args) throws Exception {
        Map<String, String> properties = Map.of(Sasl.QOP, args[3], Sasl.SERVER_AUTH, "true");
        CallbackHandler names = callbacks -> answer(callbacks, args[1], args[2]);
        if (args[0].equals("record")) record(properties, names);
        else serve(args[0].equals("client"), properties, names);
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

    private static void serve(boolean isClient, Map<String, String> properties, CallbackHandler names) throws Exception {
        SaslClient client = isClient ? client(properties, names) : null;
        SaslServer server = isClient ? null : server(properties, names);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ", -1);
            byte[] bytes = HEX.parseHex(words[1]);
            try {
                byte[] answer = switch (words[0]) {
                    case "step" -> isClient ? client.evaluateChallenge(bytes) : server.evaluateResponse(bytes);
                    case "wrap" -> isClient ? client.wrap(bytes, 0, bytes.length) : server.wrap(bytes, 0, bytes.length);
                    default -> isClient ? client.unwrap(bytes, 0, bytes.length) : server.unwrap(bytes, 0, bytes.length);
                };
                boolean isDone = isClient ? client.isComplete() : server.isComplete();
                print(isDone ? "done" : "on", answer == null ? new byte[0] : answer);
            } catch (SaslException failure) {
                System.out.println("failed " + failure.getMessage());
            }
        }
    }
}
