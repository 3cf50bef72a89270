import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs the classes that are named. Prints a line before each, `class CLASS`, a line a test, `passed|failed|ignored CLASS METHOD
 * REASON`, and `done` at the end.
 */
public final class RunTests {
  public static void main(String[] names) throws Exception {
    JUnitCore core = new JUnitCore();
    core.addListener(new Lines());
    // A test of the version takes the server for a process like its own: these are the server's facts.
    for (String fact : new String[] { "java.vm.vendor", "java.version", "java.vm.version" }) {
      String told = System.getProperty("server." + fact);
      if (told != null) System.setProperty(fact, told);
    }
    for (String name : names) {
      System.out.println("class\t" + name);
      Result result = core.run(Class.forName("org.apache.hadoop.hbase.rest." + name));
      if (result.getRunCount() == 0 && result.getIgnoreCount() == 0) line("failed", name, "class", "it has no tests");
    }
    System.out.println("done");
    System.exit(0);
  }

  private static void line(String outcome, String where, String what, String reason) {
    System.out.println(outcome + "\t" + where.replace("org.apache.hadoop.hbase.rest.", "") + "\t" + what + "\t"
      + reason.replaceAll("\\s+", " "));
  }

  private static final class Lines extends RunListener {
    private String failure;

    @Override
    public void testStarted(Description test) {
      failure = null;
    }

    @Override
    public void testFailure(Failure failed) {
      failure = String.valueOf(failed.getException());
      if (Boolean.getBoolean("tidegate.traces")) System.err.println(failed.getTrace());
      Description test = failed.getDescription();
      if (test.getMethodName() == null) line("failed", test.getClassName(), "class", failure);
    }

    @Override
    public void testFinished(Description test) {
      line(failure == null ? "passed" : "failed", test.getClassName(), test.getMethodName(), failure == null ? "" : failure);
    }

    @Override
    public void testIgnored(Description test) {
      line("ignored", test.getClassName(), String.valueOf(test.getMethodName()), "");
    }
  }
}
