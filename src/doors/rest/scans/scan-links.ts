/** Scans in several answers: each has the address of the next one in its header Link. */

import { HBaseError } from '../../../model/errors.ts'
import type { Store } from '../../../store/store.ts'
import { Refusal } from '../http/errors.ts'
import type { RestRequest } from '../http/request.ts'
import type { RowPath } from '../parameters/row-path.ts'
import { readToken, type ScanPosition, scanDigest, writeToken } from './scan-position.ts'

/** Parameters that may differ between the answers of one scan. */
const OF_ONE_ANSWER: ReadonlySet<string> = new Set(['page', 'limit', 'token'])

/** Characters that would end an address in a header, or that a header cannot have. */
const NO_URI = /[^!-;=?-~]/gu

/** The links of one scan. */
export class ScanLinks {
  readonly #request: RestRequest
  readonly #digest: Buffer

  private constructor(request: RestRequest, digest: Buffer) {
    this.#request = request
    this.#digest = digest
  }

  /** Throws as Store.clusterId. */
  static async create(store: Store, request: RestRequest, { table, rest }: RowPath): Promise<ScanLinks> {
    const parameters = [...request.query].filter(([name]) => !OF_ONE_ANSWER.has(name))
    const sorted = parameters.map(([name, value]) => `${name}=${value}`).sort()
    const digest = scanDigest([await idOf(store), table, rest, ...sorted])
    return new ScanLinks(request, digest)
  }

  /** The position after which the scan continues; undefined at its beginning. Throws Refusal 400. */
  get start(): ScanPosition | undefined {
    const [token = null, ...others] = this.#request.query.getAll('token')
    if (others.length > 0)
      throw new Refusal(400, 'the query has several tokens, but a scan continues from one')
    return token === null ? undefined : readToken(token, this.#digest)
  }

  /** The header Link of an answer that ends at the position. The address is relative, because a proxy may serve it elsewhere. */
  headerTo(position: ScanPosition): Readonly<Record<string, string>> {
    const { path, search } = this.#request
    const parts = search.split('&').filter((part) => part !== '' && !part.startsWith('token='))
    const target = [...parts, `token=${writeToken(this.#digest, position)}`].join('&')
    return { Link: `<${`${path}?${target}`.replace(NO_URI, encodeURIComponent)}>; rel="next"` }
  }
}

const ids = new WeakMap<Store, Promise<string>>()

/** The store's id, cached: it never changes, and a cluster has to be asked for it. */
async function idOf(store: Store): Promise<string> {
  const known = ids.get(store) ?? store.clusterId()
  ids.set(store, known)
  try {
    return await known
  } catch (error) {
    ids.delete(store)
    throw error instanceof HBaseError ? error : new Refusal(503, String(error))
  }
}
