package dev.tidegate.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.utility.DockerImageName;

/** Needs a Docker daemon, or a stand-in for one that DOCKER_HOST names. */
class TidegateContainerTest extends TidegateChecks {
  private static final TidegateContainer CONTAINER = new TidegateContainer().withSeed(SEED);

  @BeforeAll
  static void start() {
    CONTAINER.start();
  }

  @AfterAll
  static void stop() {
    CONTAINER.stop();
  }

  @Override
  Tidegate tidegate() {
    return CONTAINER;
  }

  @Test
  void anImageThatIsNotThereFailsTheStart() {
    try (TidegateContainer other = new TidegateContainer(DockerImageName.parse("tidegate-nowhere"))) {
      assertThrows(ContainerFetchException.class, other::start);
    }
  }
}
