import type { FileSystem } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'
import type { JobRunner } from './file-job.ts'
import { InProcessRunner } from './in-process-runner.ts'
import { Pacer } from './pacer.ts'
import { WorkerRunner } from './worker-runner.ts'

/** `threadsMax`: 0 for none. `requests`: the number of requests so far. */
export function newRunner(
  fileSystem: FileSystem,
  threadsMax: number,
  log: NativeLog,
  requests: () => number,
): JobRunner {
  const ownThread = new InProcessRunner(fileSystem, new Pacer(requests))
  return threadsMax === 0 ? ownThread : new WorkerRunner({ threadsMax, ownThread, log })
}
