/**
 * A JSON Web Key Set behind a URL. It is fetched at the start, every ten minutes, and for a token with an unknown key, so that a new key
 * is accepted at once. While the URL fails, the keys are kept for an hour. Afterwards no token can be checked.
 */

import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Logger } from 'pino'
import { reasonOf } from '../../../../model/error-reason.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { checkedKeySet } from './key-set.ts'

const FETCH_MS = 5000
/** Time after which the set is fetched again. */
const FRESH_MS = 600_000
/** Time for which keys are kept while the URL fails. */
const KEPT_MS = 3_600_000
/** The least time between two fetches for tokens with unknown keys. */
const PAUSE_MS = 5000
const LOOK_MS = 60_000
/** The most bytes of a set. A set has a few keys, of a few KB each. */
const SET_BYTES_MAX = 1024 * 1024

export interface RemoteKeySetParts {
  readonly logger: Logger
  /** Called when the keys have changed. */
  readonly changed: () => void
  /** Milliseconds since any fixed moment. */
  readonly now?: () => number
  readonly fetchText?: (url: string) => Promise<string>
}

export class RemoteKeySet {
  readonly #url: string
  readonly #parts: RemoteKeySetParts
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #text: string | undefined
  #keys: JWTVerifyGetKey | undefined
  #fetchedMs = Number.NEGATIVE_INFINITY
  #triedMs = Number.NEGATIVE_INFINITY
  #fetching: Promise<void> | undefined
  #trouble: string | undefined

  constructor(url: string, parts: RemoteKeySetParts) {
    this.#url = url
    this.#parts = parts
    this.#now = parts.now ?? (() => performance.now())
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref()
    this.look()
  }

  /** The reason why the keys are older than those of the URL; undefined where they are not. */
  get trouble(): string | undefined {
    return this.#trouble
  }

  /** Fetches the set where it is old. */
  look(): void {
    if (this.#now() - this.#fetchedMs >= FRESH_MS) void this.fetch()
  }

  /** Finds the key of a token. Throws jose's errors for an unknown key, UNAVAILABLE where there are no keys. */
  readonly getKey: JWTVerifyGetKey = async (header, token) => {
    if (this.#now() - this.#fetchedMs >= FRESH_MS) await this.#fetchAgain()
    try {
      return await this.#usable()(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      const isNew = await this.#fetchAgain()
      // The key may be one that cannot be fetched now.
      if (this.#trouble !== undefined) throw unavailable()
      if (!isNew) throw error
      return await this.#usable()(header, token)
    }
  }

  #usable(): JWTVerifyGetKey {
    if (this.#keys !== undefined && this.#now() - this.#fetchedMs < KEPT_MS) return this.#keys
    throw unavailable()
  }

  /** Fetches the set again; false where that was done a moment ago. */
  async #fetchAgain(): Promise<boolean> {
    if (this.#fetching === undefined && this.#now() - this.#triedMs < PAUSE_MS) return false
    await this.fetch()
    return true
  }

  /** Fetches the set. Never rejects: a failure is logged. */
  fetch(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#triedMs = this.#now()
      this.#fetching = undefined
    })
    return this.#fetching
  }

  async #fetch(): Promise<void> {
    const { logger, changed, fetchText = textOf } = this.#parts
    try {
      const text = await fetchText(this.#url)
      if (text !== this.#text) {
        const { usable, faults } = checkedKeySet(text)
        this.#keys = createLocalJWKSet(usable)
        this.#text = text
        for (const fault of faults) logger.warn(`the key set ${shown(this.#url)}: ${fault}; it is not used`)
        changed()
      }
    } catch (error) {
      this.#failed(error)
      return
    }
    this.#fetchedMs = this.#now()
    if (this.#trouble !== undefined) logger.info(`the key set ${shown(this.#url)} is there again`)
    this.#trouble = undefined
  }

  /** Logs one line for each outage. */
  #failed(error: unknown): void {
    const isNew = this.#trouble === undefined
    this.#trouble = `the keys of tokens cannot be fetched from ${shown(this.#url)}: ${reasonOf(error)}`
    if (isNew) this.#parts.logger.error({ err: error }, this.#trouble)
  }

  close(): void {
    clearInterval(this.#timer)
  }
}

function unavailable(): HBaseError {
  return new HBaseError(
    'UNAVAILABLE',
    "the token cannot be checked now, as keys of tokens cannot be fetched: try again; the server's log has the reason",
  )
}

async function textOf(url: string): Promise<string> {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(FETCH_MS),
    headers: { accept: 'application/json, application/jwk-set+json' },
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`the status is ${response.status}, and not 200`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > SET_BYTES_MAX) throw new Error(`it has more than ${SET_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** The URL without its query, which may contain a secret. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
