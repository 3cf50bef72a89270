/**
 * A JSON Web Key Set behind a URL. It is fetched at the start, every ten minutes, and for a token of a key that it has not, so that a new key
 * counts at once. While the URL is away the keys stay for an hour: then no token can be checked.
 */

import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Logger } from 'pino'
import { reasonOf } from '../../../../model/error-reason.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { checkedKeySet } from './key-set.ts'

const FETCH_MS = 5000
/** The set is fetched anew after so long. */
const FRESH_MS = 600_000
/** Keys count for so long where no newer ones can be had. */
const KEPT_MS = 3_600_000
/** Tokens with names of keys that nobody knows have it fetched so often at most. */
const PAUSE_MS = 5000
const LOOK_MS = 60_000
/** A set has some keys, of some KB each. */
const SET_BYTES_MAX = 1024 * 1024

export interface RemoteKeySetParts {
  readonly logger: Logger
  /** Called once other keys count. */
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

  /** Why the keys are not those that the URL has now; undefined: they are. */
  get trouble(): string | undefined {
    return this.#trouble
  }

  /** Fetches the set where it is old. */
  look(): void {
    if (this.#now() - this.#fetchedMs >= FRESH_MS) void this.fetch()
  }

  /** Throws jose's errors for a token of another key, UNAVAILABLE where there are no keys. */
  readonly getKey: JWTVerifyGetKey = async (header, token) => {
    if (this.#now() - this.#fetchedMs >= FRESH_MS) await this.#fetchAgain()
    try {
      return await this.#usable()(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      const isNew = await this.#fetchAgain()
      // The key may be one of those that cannot be had.
      if (this.#trouble !== undefined) throw unavailable()
      if (!isNew) throw error
      return await this.#usable()(header, token)
    }
  }

  #usable(): JWTVerifyGetKey {
    if (this.#keys !== undefined && this.#now() - this.#fetchedMs < KEPT_MS) return this.#keys
    throw unavailable()
  }

  /** False where the set has just been asked for. */
  async #fetchAgain(): Promise<boolean> {
    if (this.#fetching === undefined && this.#now() - this.#triedMs < PAUSE_MS) return false
    await this.fetch()
    return true
  }

  /** Resolves once the set is there, or has failed, which is logged. */
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

  /** One line for all of an outage. */
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

/** A query may have a secret. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
