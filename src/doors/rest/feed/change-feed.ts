/** The changes of a table as an endless answer. A slow client is waited for: nothing is read for it meanwhile. */

import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { type Call, onOwnBehalf } from '../../../store/call.ts'
import type { Changes, PartOfChanges, WantedChanges } from '../../../store/changes.ts'
import { ChangeTokens } from '../../../wire/changes/change-token.ts'
import { ChangedRows, familiesOf } from '../../../wire/changes/changed-rows.ts'
import { OutputBuffer } from '../../../wire/rest/output-buffer.ts'
import { PAGE_BYTES, STREAM_BYTES } from '../answers/paged-scan.ts'
import type { Answer } from '../http/answer.ts'
import type { RestRequest } from '../http/request.ts'
import type { RowPath } from '../parameters/row-path.ts'
import type { OpenFeed } from '../service/open-feeds.ts'
import type { RestService } from '../service/rest-service.ts'
import { explained, placeFrom } from './feed-places.ts'
import { type FeedRequest, feedRequest } from './feed-request.ts'

/** Permissions and the table's state are looked at so often, while there is no change. */
const REVIEW_MS = 5000
const CHUNK_BYTES = 64 * 1024
/** Copies of a large row: its cells, its line, and the parts of the line in streams. */
const COPIES = 4

/** `X-Accel-Buffering`: nginx passes each line on at once. */
const HEADERS = { 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' }

export async function answerFeed(service: RestService, request: RestRequest, path: RowPath): Promise<Answer> {
  const asked = feedRequest(request, path)
  const { store, feeds } = service
  const changes = store.upkeep.changes
  if (changes === undefined)
    throw new HBaseError(
      'UNSUPPORTED',
      'this store hands out no changes: a store of the server itself does (--store native:FOLDER), and in a cluster HBase replication',
    )
  const { call } = request
  const table = parseTableName(path.table)
  const tokens = new ChangeTokens(await store.clusterId())
  const place = await placeFrom(asked.from, changes, tokens, call)
  const wanted = { table, ...familiesWanted(asked), bytes: PAGE_BYTES }
  // The first read, which waits for nothing, finds out what the user may do.
  const first = await changes
    .readChanges(place.position, { ...wanted, waitMs: 0 }, call)
    .catch(async (error: unknown) => {
      throw await explained(error, place.position, changes, call)
    })
  await checkTable(service, table, asked, call)
  const { contentType } = asked.form
  if (request.method === 'HEAD') return { status: 200, contentType, headers: HEADERS }
  const feed = new Feed({
    service,
    changes,
    asked,
    wanted,
    tokens,
    rows: new ChangedRows(asked.wanted, place),
  })
  const body = feed.chunks(feeds.open(call), first)
  return { status: 200, contentType, headers: HEADERS, body, isLive: true, errorChunk: feed.lastChunk }
}

function familiesWanted({ wanted }: FeedRequest): Pick<WantedChanges, 'families'> {
  const families = familiesOf(wanted)
  return families === undefined ? {} : { families }
}

/** Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED, NO_SUCH_COLUMN_FAMILY. */
async function checkTable(
  { store }: RestService,
  table: TableName,
  { wanted }: FeedRequest,
  call: Call,
): Promise<void> {
  await checkState(store, table, call)
  const families = familiesOf(wanted)
  if (families === undefined) return
  const { families: own } = await store.catalog.table(table, onOwnBehalf(call))
  const missing = families.find((family) => !own.some(({ name }) => name.equals(family)))
  if (missing !== undefined)
    throw new HBaseError(
      'NO_SUCH_COLUMN_FAMILY',
      `the table ${table} has no column family ${missing.toString()}`,
    )
}

async function checkState({ catalog }: RestService['store'], table: TableName, call: Call): Promise<void> {
  if ((await catalog.tableState(table, call)) === 'ENABLED') return
  throw new HBaseError('TABLE_NOT_ENABLED', `the table ${table} is disabled`)
}

interface FeedParts {
  readonly service: RestService
  readonly changes: Changes
  readonly asked: FeedRequest
  readonly wanted: Omit<WantedChanges, 'waitMs'> & { readonly table: TableName }
  readonly tokens: ChangeTokens
  readonly rows: ChangedRows
}

class Feed {
  readonly #parts: FeedParts
  readonly #out = new OutputBuffer()
  /** Memory of large changes. */
  readonly #memory: MemoryGrant
  #sentAt = 0
  #reviewedAt = 0

  constructor(parts: FeedParts) {
    this.#parts = parts
    this.#memory = new MemoryGrant(parts.service.memory, true)
  }

  get #token(): string {
    const { tokens, rows } = this.#parts
    return tokens.text(rows.place)
  }

  /** See Answer.errorChunk. */
  readonly lastChunk = (error: unknown): Buffer => this.#parts.asked.form.end(error, this.#token)

  /** The first line is a heartbeat, so that a client has a token from the beginning on. */
  async *chunks(open: OpenFeed, first: PartOfChanges): AsyncGenerator<Buffer> {
    const { service, rows } = this.#parts
    const { feeds } = service
    try {
      this.#reviewedAt = performance.now()
      yield this.#heartbeat()
      for (let part = first; ; part = await this.#next(open.call)) {
        yield* this.#lines(part)
        rows.passed(part.position)
        if (performance.now() - this.#sentAt >= this.#parts.asked.heartbeatMs) yield this.#heartbeat()
      }
    } catch (error) {
      if (feeds.isStopped) yield this.lastChunk(new HBaseError('UNAVAILABLE', 'the server stops'))
      else if (!isHBaseError(error)) throw error
      else if (error.code !== 'CALLER_GONE') yield this.lastChunk(error)
    } finally {
      open.close()
      this.#memory.release()
    }
  }

  #heartbeat(): Buffer {
    this.#parts.asked.form.heartbeat(this.#out, this.#token)
    return this.#taken()
  }

  #taken(): Buffer {
    this.#sentAt = performance.now()
    return this.#out.take()
  }

  async #next(call: Call): Promise<PartOfChanges> {
    const { service, changes, asked, wanted, rows } = this.#parts
    const now = performance.now()
    if (now - this.#reviewedAt >= Math.min(REVIEW_MS, asked.heartbeatMs)) {
      this.#reviewedAt = now
      await checkState(service.store, wanted.table, call)
    }
    const waitMs = Math.max(0, Math.min(REVIEW_MS, this.#sentAt + asked.heartbeatMs - now))
    const { position } = rows.place
    try {
      return await changes.readChanges(position, { ...wanted, waitMs }, call)
    } catch (error) {
      throw await explained(error, position, changes, call)
    }
  }

  *#lines({ changes }: PartOfChanges): Generator<Buffer> {
    const { asked, tokens, rows, service } = this.#parts
    const bytes = changes.reduce((sum, { cells }) => sum + cells.byteLength, 0)
    this.#memory.hold(Math.max(0, bytes * COPIES - STREAM_BYTES))
    for (const change of changes) {
      for (const { cells, place } of rows.of(change)) {
        asked.form.change(this.#out, cells, tokens.text(place))
        service.feeds.lines++
        if (this.#out.length >= CHUNK_BYTES) yield this.#taken()
      }
    }
    if (this.#out.length > 0) yield this.#taken()
  }
}
