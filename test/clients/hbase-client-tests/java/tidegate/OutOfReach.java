package tidegate;

/** A test asked for an object of a server's, or for a change of the cluster's machines: the server that runs is another process. */
public final class OutOfReach extends RuntimeException {
  private static volatile String asked;

  public OutOfReach(String what) {
    super("out of reach: " + what);
    asked = what;
  }

  /** What was asked for since the last call; null where nothing was. */
  public static String taken() {
    String result = asked;
    asked = null;
    return result;
  }
}
