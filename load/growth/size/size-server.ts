/** Tidegate as `docs/one-machine.md` starts it, on the folder that is measured. */

import type { Store } from '../../../src/store/store.ts'
import type { ChildServer } from '../../../test/harness/child-server.ts'
import { askOnce, isWholeFrame } from '../../../test/harness/closed-loop.ts'
import { openRpcStore } from '../../../test/harness/rpc-store.ts'
import { getRow } from '../../../test/harness/thrift-frames.ts'
import { startTidegate } from '../../../test/harness/tidegate-process.ts'
import { MEMORY_MAX } from './in-process-stores.ts'
import { keyText, NAME } from './sized-rows.ts'

export class SizeServer {
  readonly child: ChildServer
  readonly store: Store
  /** Milliseconds from its beginning until it had answered a get. */
  readonly startMs: number
  /** Before anything but that get. */
  readonly startedBytes: number

  private constructor(child: ChildServer, store: Store, startMs: number) {
    this.child = child
    this.store = store
    this.startMs = startMs
    this.startedBytes = child.residentBytes()
  }

  static async start(folder: string): Promise<SizeServer> {
    const since = performance.now()
    const child = await startTidegate(`native:${folder}`, '--memory-max', MEMORY_MAX)
    await askOnce(child.port('thrift'), getRow(NAME, keyText(0)), isWholeFrame)
    const ms = performance.now() - since
    return new SizeServer(child, await openRpcStore(child.port('rpc')), ms)
  }

  /** The sum over all labels. */
  async metric(name: string): Promise<number> {
    const answer = await fetch(`http://127.0.0.1:${this.child.port('web')}/metrics`)
    const lines = (await answer.text()).split('\n').filter((line) => /^\w/.test(line))
    return lines
      .filter((line) => line.split(/[ {]/, 1)[0] === `tidegate_native_${name}`)
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.store.close()
    await this.child.stop(signal)
  }
}
