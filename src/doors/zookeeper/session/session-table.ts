/** The sessions of clients. A session outlives its connection until its time-out, and may continue over another one. */

import { randomBytes, timingSafeEqual } from 'node:crypto'

/** The connection of a session. */
export interface SessionHolder {
  /** Ends the connection: its session has ended, or continues over another one. */
  disconnect(): void
}

export interface Session {
  readonly id: bigint
  readonly password: Buffer
  timeoutMs: number
  heardAt: number
  holder: SessionHolder | undefined
}

/** Bounds of a session's time-out, in milliseconds: 2 and 20 of ZooKeeper's default ticks of 2 s. */
export const SESSION_TIMEOUT_MS = { min: 4000, max: 40_000 }

const PASSWORD_BYTES = 16
const SERVER_ID = 1n
const SERVER_ID_BITS = 56n

export class SessionTable {
  readonly #now: () => number
  readonly #sessionsMax: number
  readonly #sessions = new Map<bigint, Session>()
  /** Sessions without a connection, in the order in which they lost it. */
  readonly #orphans = new Set<Session>()
  #lastId: bigint

  constructor(sessionsMax: number, now: () => number) {
    this.#sessionsMax = sessionsMax
    this.#now = now
    // ZooKeeper: SessionTrackerImpl.initializeNextSessionId. Ids are not used again after a restart.
    const time = BigInt.asIntN(64, BigInt(now()) << 24n) >> 8n
    this.#lastId = (time & ((1n << SERVER_ID_BITS) - 1n)) | (SERVER_ID << SERVER_ID_BITS)
  }

  get size(): number {
    return this.#sessions.size
  }

  /** Reserves an id for a session of this server itself. No client gets it. */
  reserveId(): bigint {
    return ++this.#lastId
  }

  /**
   * Begins a session. Undefined where there are too many. Before that, sessions without a connection give way: otherwise, clients that leave
   * without closing their sessions would keep others out for a whole time-out.
   */
  open(askedMs: number, holder: SessionHolder): Session | undefined {
    if (this.#sessions.size >= this.#sessionsMax) {
      const [oldest] = this.#orphans
      if (oldest === undefined) return undefined
      this.close(oldest)
    }
    const session: Session = {
      id: ++this.#lastId,
      password: randomBytes(PASSWORD_BYTES),
      timeoutMs: negotiated(askedMs),
      heardAt: this.#now(),
      holder,
    }
    this.#sessions.set(session.id, session)
    return session
  }

  /** Continues a session over a new connection, and ends its old one. Undefined for a session that has ended, or whose password differs. */
  resume(id: bigint, password: Buffer, askedMs: number, holder: SessionHolder): Session | undefined {
    const session = this.#sessions.get(id)
    if (session === undefined || this.#isOver(session)) return undefined
    if (password.length !== PASSWORD_BYTES || !timingSafeEqual(password, session.password)) return undefined
    const before = session.holder
    session.holder = holder
    this.#orphans.delete(session)
    session.timeoutMs = negotiated(askedMs)
    session.heardAt = this.#now()
    before?.disconnect()
    return session
  }

  /** Notes a sign of life of the session's client. */
  touch(session: Session): void {
    session.heardAt = this.#now()
  }

  /** Notes that the connection of the session has ended. */
  detach(session: Session, holder: SessionHolder): void {
    if (session.holder !== holder) return
    session.holder = undefined
    if (this.#sessions.has(session.id)) this.#orphans.add(session)
  }

  /** Ends the session. The caller must end its connection, where it has one. */
  close(session: Session): void {
    this.#sessions.delete(session.id)
    this.#orphans.delete(session)
  }

  /** Ends the sessions whose time-outs are over. */
  sweep(): void {
    for (const session of this.#sessions.values()) {
      if (!this.#isOver(session)) continue
      this.close(session)
      session.holder?.disconnect()
    }
  }

  #isOver({ heardAt, timeoutMs }: Session): boolean {
    return this.#now() - heardAt >= timeoutMs
  }
}

function negotiated(askedMs: number): number {
  return Math.min(Math.max(askedMs, SESSION_TIMEOUT_MS.min), SESSION_TIMEOUT_MS.max)
}
