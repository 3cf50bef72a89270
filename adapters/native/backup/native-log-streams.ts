/** The log for those who follow it: see LogStreams. */

import { HBaseError } from '../../../src/model/errors.ts'
import type { Call } from '../../../src/store/call.ts'
import type { LogStreams, StreamPart, StreamState } from '../../../src/store/log-streams.ts'
import type { Engine } from '../engine/engine.ts'
import { newClusterId } from '../manifest/cluster-id.ts'
import type { LogFollower } from '../wal/log-follower.ts'

/** Each may keep logs from being removed. */
const FOLLOWERS_MAX = 16

export class NativeLogStreams implements LogStreams {
  readonly #engine: Engine
  readonly #followers = new Map<string, LogFollower>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async followLog(keepBytesMax: number, call: Call): Promise<string> {
    const { calls, followers, random } = this.#engine
    calls.check(call)
    if (this.#followers.size >= FOLLOWERS_MAX)
      throw new HBaseError('DO_NOT_RETRY', `${FOLLOWERS_MAX} follow the log: one of them must end first`)
    const follower = followers.add(keepBytesMax)
    if (follower === undefined) throw new HBaseError('UNAVAILABLE', 'the log is not open')
    const id = newClusterId(random)
    this.#followers.set(id, follower)
    return id
  }

  async readLog(id: string, call: Call): Promise<StreamPart> {
    const { calls, clock, wal } = this.#engine
    calls.check(call)
    const follower = this.#get(id)
    try {
      return await follower.read(clock.now())
    } finally {
      void wal.removeLeft()
    }
  }

  async logState(id: string, call: Call): Promise<StreamState> {
    this.#engine.calls.check(call)
    return this.#get(id).state
  }

  /** Throws DO_NOT_RETRY. */
  #get(id: string): LogFollower {
    const follower = this.#followers.get(id)
    if (follower === undefined) throw new HBaseError('DO_NOT_RETRY', `the log has no follower ${id}`)
    return follower
  }

  async leaveLog(id: string, call: Call): Promise<void> {
    const { calls, followers, wal } = this.#engine
    calls.check(call)
    const follower = this.#followers.get(id)
    if (follower === undefined) return
    this.#followers.delete(id)
    followers.remove(follower)
    await wal.removeLeft()
  }
}
