/** A random life of a store whose log is followed, with backups in it, and the dump of the store after each step. */

import { type LaterStore, laterStore } from '../../../../adapters/native/backup/later-store.ts'
import { checkFolder } from '../../../../adapters/native/inspect/folder-check.ts'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../../adapters/native/options/compaction-options.ts'
import { type FamilyDescriptor, familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { BACKUP_READ_BYTES_MAX } from '../../../../src/store/backups.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { type Moment, parseMoment } from '../../../../src/store/kept-moment.ts'
import type { StreamEntry } from '../../../../src/store/log-streams.ts'
import type { Store } from '../../../../src/store/store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { anyChange, makeChange, ROWS } from '../../../harness/simulation/sim-changes.ts'
import type { SimRandom } from '../../../harness/simulation/sim-random.ts'
import { dumpTable } from '../../../harness/simulation/sim-world.ts'
import { StoreUnderTest } from '../store-under-test.ts'

const TABLES = ['a', 'b', 'n:c'].map((name) => parseTableName(name))
/** Changes are named by their numbers. */
const KINDS = [
  ...Array<'change'>(16).fill('change'),
  'create',
  'create',
  'drop',
  'truncate',
  'alter',
  'alter',
  'state',
  'split',
  'split',
  'merge',
  'merge',
  'close region',
  'flush',
  'compact',
  'namespace',
  'snapshot',
  'switch',
] as const

export interface KeptBackup {
  readonly at: number
  readonly id: string
  readonly moment: Moment
  readonly contents: ReadonlyMap<string, Buffer>
}

export interface Dumped {
  readonly at: number
  readonly dump: readonly string[]
}

/** A store, and all entries of its log since it was opened. */
export class FollowedStore {
  readonly session: StoreUnderTest
  readonly #stream: string
  readonly #entries: StreamEntry[] = []

  private constructor(session: StoreUnderTest, stream: string) {
    this.session = session
    this.#stream = stream
  }

  static async open(session: StoreUnderTest): Promise<FollowedStore> {
    return new FollowedStore(session, await session.store.upkeep.logStreams!.followLog(1 << 30, OWN_CALL))
  }

  /** All entries so far. */
  async read(): Promise<readonly StreamEntry[]> {
    for (let isMore = true; isMore; ) {
      const { entries } = await this.session.store.upkeep.logStreams!.readLog(this.#stream, OWN_CALL)
      this.#entries.push(...entries)
      isMore = entries.length > 0
    }
    return this.#entries
  }

  async backUp(): Promise<KeptBackup> {
    const backups = this.session.store.upkeep.backups!
    const { id, list } = await backups.beginBackup(OWN_CALL)
    const read = (name: string): Promise<Buffer> =>
      backups.readBackup(id, name, 0, BACKUP_READ_BYTES_MAX, OWN_CALL)
    const moment = parseMoment((await read(list)).toString())
    const contents = new Map<string, Buffer>()
    for (const { name, path, bytes } of moment.files)
      contents.set(path, (await read(name)).subarray(0, bytes))
    await backups.endBackup(id, false, OWN_CALL)
    return { at: this.session.time, id, moment, contents }
  }

  async mergeAll(table: TableName): Promise<void> {
    const { catalog, upkeep } = this.session.store
    const names = (await catalog.regions(table, OWN_CALL)).map(({ encodedName }) => Buffer.from(encodedName))
    await upkeep.regions!.mergeRegions(names, false, OWN_CALL)
  }
}

export class ArchivedHistory {
  readonly #random: SimRandom
  readonly #session: StoreUnderTest
  readonly #followed: FollowedStore
  #number = 0
  entries: readonly StreamEntry[] = []
  readonly backups: KeptBackup[] = []
  readonly dumps: Dumped[] = []

  private constructor(random: SimRandom, followed: FollowedStore) {
    this.#random = random
    this.#session = followed.session
    this.#followed = followed
  }

  static async open(random: SimRandom): Promise<ArchivedHistory> {
    const options = {
      blockMultiplier: 100,
      compaction: { ...DEFAULT_COMPACTION_OPTIONS, purgeDeletesMs: 1e15 },
      wal: { logBytesMax: random.of([400, 2000, 1 << 20]), syncEveryBytes: 400 },
    }
    const session = await StoreUnderTest.open(options, undefined, random.next)
    return new ArchivedHistory(random, await FollowedStore.open(session))
  }

  close(): Promise<void> {
    return this.#session.store.close()
  }

  /** Refusals are a part of life. */
  async step(): Promise<void> {
    const { store } = this.#session
    this.#session.time += 1 + this.#random.below(3)
    const isBackup = this.backups.length === 0 ? this.#number === 8 : this.#random.chance(0.02)
    this.#number++
    try {
      if (isBackup) this.backups.push(await this.#followed.backUp())
      else await this.#change(store)
    } catch (error) {
      if (!isHBaseError(error)) throw error
    }
    this.entries = await this.#followed.read()
    this.dumps.push({ at: this.#session.time, dump: await dumpOf(store) })
  }

  async #change(store: Store): Promise<void> {
    const { catalog, upkeep } = store
    const random = this.#random
    // Much happens to one table, whose changes then meet each other.
    const table = random.chance(0.6) ? TABLES[0]! : random.of(TABLES)
    switch (random.of(KINDS)) {
      case 'change': {
        const change = anyChange(
          random,
          ['f', 'g'],
          ['USE_DEFAULT', 'SYNC_WAL'],
          this.#number,
          this.#session.time,
        )
        return makeChange(store, table, change)
      }
      case 'create':
        return catalog.createTable(
          tableDescriptor(table, anyFamilies(random)),
          ROWS.slice(1)
            .filter(() => random.chance(0.3))
            .map((row) => Buffer.from(row)),
          OWN_CALL,
        )
      case 'drop':
        await catalog.disableTable(table, OWN_CALL)
        return catalog.deleteTable(table, OWN_CALL)
      case 'truncate':
        await catalog.disableTable(table, OWN_CALL)
        return catalog.truncateTable(table, random.chance(0.5), OWN_CALL)
      case 'alter':
        return catalog.modifyTable(tableDescriptor(table, anyFamilies(random)), OWN_CALL)
      case 'state':
        return (await catalog.tableState(table, OWN_CALL)) === 'ENABLED'
          ? catalog.disableTable(table, OWN_CALL)
          : catalog.enableTable(table, OWN_CALL)
      case 'split':
        return upkeep.regions!.splitTable(table, Buffer.from(random.of(ROWS)), OWN_CALL)
      case 'merge':
        return this.#merge(store, table)
      case 'close region': {
        const { encodedName } = random.of(await catalog.regions(table, OWN_CALL))
        return upkeep.regions!.unassignRegion(Buffer.from(encodedName), OWN_CALL)
      }
      case 'flush':
        return upkeep.flushes!.flushTable(table, OWN_CALL)
      case 'compact':
        return upkeep.compactions!.compactTable(table, { major: random.chance(0.5) }, OWN_CALL)
      case 'namespace':
        return this.#changeNamespace(store)
      case 'snapshot':
        return random.chance(0.6)
          ? upkeep.snapshots!.createSnapshot(random.of(['s', 't']), table, 'FLUSH', OWN_CALL)
          : upkeep.snapshots!.deleteSnapshot(random.of(['s', 't']), OWN_CALL)
      case 'switch':
        await upkeep.switches!.turn('balancer', random.chance(0.5), OWN_CALL)
        return
    }
  }

  async #merge(store: Store, table: TableName): Promise<void> {
    const regions = await store.catalog.regions(table, OWN_CALL)
    const first = this.#random.below(Math.max(1, regions.length - 1))
    const merged = regions.slice(first, first + 2 + this.#random.below(2))
    const names = merged.map(({ encodedName }) => Buffer.from(encodedName))
    await store.upkeep.regions!.mergeRegions(names, false, OWN_CALL)
  }

  async #changeNamespace({ catalog }: Store): Promise<void> {
    const namespace = { name: 'n', properties: new Map([['k', String(this.#number)]]) }
    const kind = this.#random.of(['create', 'create', 'modify', 'delete'] as const)
    if (kind === 'create') await catalog.createNamespace(namespace, OWN_CALL)
    else if (kind === 'modify') await catalog.modifyNamespace(namespace, OWN_CALL)
    else await catalog.deleteNamespace('n', OWN_CALL)
  }
}

/** Families that keep all, so that each change that is missing shows. */
function anyFamilies(random: SimRandom): FamilyDescriptor[] {
  const names = random.of([['f'], ['f', 'g'], ['f', 'g'], ['g']])
  return names.map((name) =>
    familyDescriptor(name, [
      ['VERSIONS', '1000'],
      ['KEEP_DELETED_CELLS', 'TRUE'],
      ['BLOCKSIZE', random.of(['1024', '65536'])],
    ]),
  )
}

/** All that clients see but regions and snapshots. */
export async function dumpOf(store: Store): Promise<string[]> {
  const { catalog, upkeep } = store
  const lines: string[] = []
  for (const { name, properties } of await catalog.listNamespaces(OWN_CALL))
    lines.push(`namespace ${name} ${JSON.stringify([...properties])}`)
  lines.push(`balancer ${await upkeep.switches!.isOn('balancer', OWN_CALL)}`)
  for (const { name, attributes, families } of await catalog.listTables(OWN_CALL)) {
    const state = await catalog.tableState(name, OWN_CALL)
    lines.push(`table ${name} ${state} ${JSON.stringify([...attributes])}`)
    for (const family of families)
      lines.push(`family ${family.name.toString()} ${JSON.stringify([...family.attributes])}`)
    if (state !== 'ENABLED') continue
    for (const cell of await dumpTable(store, name).catch(refusedAsClosed)) lines.push(`${name} ${cell}`)
  }
  return lines.sort()
}

const CLOSED = 'a region is closed'

function refusedAsClosed(error: unknown): string[] {
  if (!isHBaseError(error)) throw error
  return [CLOSED]
}

/**
 * The dump without the cells of tables that had a closed region: a store that is restored has such a region open where it came of a split or a merge
 * that the store does not have.
 */
export function withoutClosed(
  dump: readonly string[],
  { expected }: { readonly expected: readonly string[] },
): string[] {
  const closed = expected.flatMap((line) => (line.endsWith(` ${CLOSED}`) ? [line.split(' ')[0]!] : []))
  return dump.filter((line) => !closed.some((table) => line.startsWith(`${table} `)))
}

export interface RestoredHistory {
  readonly fileSystem: CrashableFileSystem
  readonly plan: LaterStore
}

/** The store as of a time, made of a backup and of entries. */
export async function restoredAt(
  { id, contents }: KeptBackup,
  entries: readonly StreamEntry[],
  time: number,
  tables?: ReadonlySet<string>,
): Promise<RestoredHistory> {
  const fileSystem = new CrashableFileSystem()
  const first = entries.findIndex((entry) => entry.kind === 'moment' && entry.id === id) + 1
  const later = entries.slice(first).filter(({ at }) => at <= time)
  const plan = await laterStore(contents.get('manifest')!, {
    tables,
    keepsIdentity: false,
    random: Math.random,
    fileSystem,
    entries: async function* () {
      yield* later
    },
    logBytesMax: 3000,
  })
  for (const [path, bytes] of contents)
    if (path !== 'manifest' && plan.has(path)) fileSystem.replace(`/s/${path}`, bytes)
  const manifest = await plan.finish('/s')
  fileSystem.replace('/s/manifest', manifest)
  fileSystem.replace('/s/manifest.copy', manifest)
  return { fileSystem, plan }
}

/** Opens it, and closes it behind the work. Resolves to all that the start and the check of the folder have found. */
export async function inRestored(
  { fileSystem }: RestoredHistory,
  work: (store: Store) => Promise<void>,
): Promise<string[]> {
  const found: string[] = []
  checkFolder({
    fileSystem,
    directory: '/s',
    report: ({ severity, path, message }) => void (severity !== 'note' && found.push(`${path}: ${message}`)),
  })
  const store = await openNativeStore({
    directory: '/s',
    fileSystem,
    clock: { now: () => 1_900_000_000_000 },
    random: Math.random,
    log: (level, message) => void (level !== 'info' && found.push(`${level}: ${message}`)),
  })
  try {
    await work(store)
    found.push(...(await store.troubles()))
  } finally {
    await store.close()
  }
  return found
}
