import java.util.TreeMap;
import org.apache.gora.GoraTestDriver;
import org.apache.gora.hbase.store.HBaseStore;
import org.apache.gora.store.DataStoreTestBase;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Gora's own tests of a data store, on HBaseStore. A line of output a test; some of them fail on a real HBase, too. */
public final class GoraRun extends DataStoreTestBase {
  /** It starts no cluster: there is one. */
  private static final class RunningServer extends GoraTestDriver {
    RunningServer(Configuration configuration) {
      super(HBaseStore.class);
      conf = configuration;
    }

    @Override
    public void setUpClass() {}

    @Override
    public void tearDownClass() {}
  }

  public static void main(String[] args) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.set("hbase.zookeeper.property.clientPort", args[0].split(":")[1]);
    setTestDriver(new RunningServer(configuration));
    TreeMap<String, String> outcomes = new TreeMap<>();
    JUnitCore core = new JUnitCore();
    core.addListener(new RunListener() {
      @Override
      public void testFinished(Description description) {
        outcomes.putIfAbsent(description.getMethodName(), "passed");
      }

      @Override
      public void testFailure(Failure failure) {
        if (Boolean.getBoolean("traces")) failure.getException().printStackTrace();
        Throwable cause = failure.getException();
        while (cause.getCause() != null) cause = cause.getCause();
        outcomes.put(String.valueOf(failure.getDescription().getMethodName()), cause.getClass().getSimpleName());
      }

      @Override
      public void testIgnored(Description description) {
        outcomes.put(description.getMethodName(), "ignored");
      }
    });
    core.run(GoraRun.class);
    outcomes.forEach((name, outcome) -> System.out.println(name + ": " + outcome));
    System.exit(0);
  }
}
