package dev.tidegate.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * Tidegate in a container. Its tables are in memory, and no client needs to log in. Each option of {@code tidegate serve} is a
 * variable of the environment.
 */
public class TidegateContainer extends GenericContainer<TidegateContainer> implements Tidegate {
  private static final int REST = 8080;
  private static final int THRIFT = 9090;
  private static final int RPC = 16020;
  private static final int ZOOKEEPER = 2181;
  private static final int WEB = 16010;

  private String seed = "{}";

  /** The image that {@code docker build -t tidegate .} makes in a checkout of Tidegate. */
  public TidegateContainer() {
    this(DockerImageName.parse("tidegate"));
  }

  public TidegateContainer(DockerImageName image) {
    super(image);
    withEnv("TIDEGATE_STORE", "memory");
    withEnv("TIDEGATE_TEST_MODE", "yes");
    withEnv("TIDEGATE_INSECURE", "yes");
    withExposedPorts(REST, THRIFT, ZOOKEEPER, WEB);
    waitingFor(Wait.forHttp("/health/ready").forPort(WEB));
  }

  /** JSON with the tables that the server has at its start and after each {@link #reset()}. */
  public TidegateContainer withSeed(String json) {
    seed = json;
    return self();
  }

  @Override
  public String getSeed() {
    return seed;
  }

  /**
   * Clients of native RPC go where the server tells them, and it must know that address when it starts. So its port on the host
   * is chosen here, and not by Docker.
   */
  @Override
  protected void configure() {
    super.configure();
    int port = freePort();
    addFixedExposedPort(port, RPC);
    withEnv("TIDEGATE_ADVERTISE", DockerClientFactory.instance().dockerHostIpAddress() + ":" + port);
  }

  @Override
  protected void containerIsStarted(com.github.dockerjava.api.command.InspectContainerResponse info) {
    super.containerIsStarted(info);
    reset();
  }

  @Override
  public String getRestUrl() {
    return url(REST);
  }

  @Override
  public String getWebUrl() {
    return url(WEB);
  }

  @Override
  public InetSocketAddress getThrift() {
    return address(THRIFT);
  }

  @Override
  public InetSocketAddress getRpc() {
    return address(RPC);
  }

  @Override
  public InetSocketAddress getZookeeper() {
    return address(ZOOKEEPER);
  }

  private String url(int port) {
    return "http://" + getHost() + ":" + getMappedPort(port);
  }

  private InetSocketAddress address(int port) {
    return InetSocketAddress.createUnresolved(getHost(), getMappedPort(port));
  }

  /** Another program may take the port before the container does: the start then fails, and says so. */
  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException error) {
      throw new UncheckedIOException("this machine has no free port for native RPC", error);
    }
  }
}
