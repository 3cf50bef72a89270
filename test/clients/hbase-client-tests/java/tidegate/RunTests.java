package tidegate;

import java.util.regex.Pattern;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs the classes that are named. Prints a line before each, `class CLASS`, a line a test,
 * `passed|failed|ignored|out-of-reach CLASS METHOD REASON`, and `done` at the end. The property `tidegate.method`
 * is a pattern of the methods to run.
 */
public final class RunTests {
  private static final String HBASE = "org.apache.hadoop.hbase.";

  private static final Pattern METHOD = Pattern.compile(System.getProperty("tidegate.method", ""));
  private static final Filter METHODS = new Filter() {
    @Override
    public boolean shouldRun(Description test) {
      if (!test.isTest()) return test.getChildren().stream().anyMatch(this::shouldRun);
      return METHOD.matcher(test.getMethodName()).find();
    }

    @Override
    public String describe() {
      return METHOD.pattern();
    }
  };

  private RunTests() {
  }

  public static void main(String[] names) throws Exception {
    JUnitCore core = new JUnitCore();
    core.addListener(new Lines());
    for (String name : names) {
      System.out.println("class\t" + name);
      core.run(Request.aClass(Class.forName(HBASE + name)).filterWith(METHODS));
    }
    System.out.println("done");
    System.exit(0);
  }

  private static void line(String outcome, Description test, String reason) {
    String where = test.getClassName().replace(HBASE, "");
    String what = test.getMethodName() == null ? "class" : test.getMethodName();
    System.out.println(outcome + "\t" + where + "\t" + what + "\t" + reason.replaceAll("\\s+", " "));
  }

  private static final class Lines extends RunListener {
    private String failure;
    private boolean isAssumed;

    @Override
    public void testStarted(Description test) {
      failure = null;
      isAssumed = true;
      OutOfReach.taken();
    }

    @Override
    public void testFailure(Failure failed) {
      String reason = String.valueOf(failed.getException());
      if (failure == null) failure = reason;
      if (Boolean.getBoolean("tidegate.traces")) System.err.println(failed.getTrace());
      if (failed.getDescription().isTest()) return;
      line(OutOfReach.taken() == null ? "failed" : "out-of-reach", failed.getDescription(), reason);
    }

    @Override
    public void testAssumptionFailure(Failure failed) {
      isAssumed = false;
    }

    @Override
    public void testFinished(Description test) {
      String asked = OutOfReach.taken();
      if (!isAssumed) line("ignored", test, "");
      else if (failure == null) line("passed", test, "");
      else line(asked == null ? "failed" : "out-of-reach", test, asked == null ? failure : asked);
    }

    @Override
    public void testIgnored(Description test) {
      line("ignored", test, "");
    }
  }
}
