import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskMiB, mebibytes } from '../compare/footprint.ts'
import { atMost, flat, notGrowing, type Point, type Series } from './series.ts'
import type { Filled } from './size/fill-in-process.ts'
import { inProcess } from './size/in-process.ts'
import { coldGets, scanned, warmGets } from './size/measure-reads.ts'
import { checked, kept, quiet, split, sustainedPuts } from './size/measure-upkeep.ts'
import { forgetPages } from './size/page-cache.ts'
import { SizeServer } from './size/size-server.ts'
import { rowsOf } from './size/sized-rows.ts'

const START_MS_MAX = 5000
/** Of the data; more of them comes and goes within the block cache's budget. */
const INDEX_PART_MAX = 0.001
/** LevelDB gets no more time for one step: it may end with fewer rows. */
const LEVEL_SECONDS_MAX = 200
/** For the compactions that follow puts or a split. */
const QUIET_SECONDS_MAX = 60
/** Below these, differences between two steps are the machine's. */
const STALL_MS = 1000
const SPLIT_MS = 1000
const SNAPSHOT_MS = 500

interface Folders {
  readonly store: string
  readonly level: string
  readonly backups: string
}

/** Rows that both sides have so far. */
interface Progress {
  rows: number
  levelRows: number
}

function note(what: string, figures: unknown): void {
  process.stderr.write(`${what}: ${JSON.stringify(figures)}\n`)
}

const megabytesPerSecond = ({ bytes, seconds }: Filled): number => bytes / 1e6 / seconds

async function filled(
  gigabytes: number,
  { store, level }: Folders,
  had: Progress,
): Promise<Point['figures']> {
  const end = rowsOf(gigabytes)
  const engine = await inProcess('fill-engine', store, [had.rows, end])
  note(`filled to ${gigabytes} GB`, engine)
  const peer = await inProcess('fill-level', level, [had.levelRows, end], LEVEL_SECONDS_MAX)
  note('LevelDB', peer)
  had.rows = engine.rows
  had.levelRows = peer.rows
  const compared = await inProcess('compare', store, level, had.rows, had.levelRows)
  return {
    'MB put a second in process': megabytesPerSecond(engine),
    'bytes written to the disk for each put': engine.writtenBytes / engine.bytes,
    'p99 of a batch of 1 MB, ms': engine.p99Ms,
    'longest batch, ms': engine.longestMs,
    'compactions went on for, s': engine.settleSeconds,
    'LevelDB: part of the rows that it took in its time': had.levelRows / end,
    'LevelDB: longest batch, ms': peer.longestMs,
    'puts, times LevelDB': megabytesPerSecond(engine) / megabytesPerSecond(peer),
    'gets all over the store, times LevelDB': compared.spreadGets,
    'gets from the cache, times LevelDB': compared.hotGets,
    'scans, times LevelDB': compared.scans,
  }
}

async function indexes(server: SizeServer, gigabytes: number): Promise<Record<string, number>> {
  const keptBytes = await server.metric('index_kept_bytes')
  const cachedBytes = await server.metric('block_cache_index_bytes')
  return {
    'KiB of indexes kept in memory': keptBytes / 1024,
    'MiB of indexes in the block cache': cachedBytes / 2 ** 20,
    'MiB of indexes and blooms on the disk': (await server.metric('index_bytes')) / 2 ** 20,
    'indexes kept in memory, part of the data': keptBytes / (gigabytes * 1e9),
    'store files': await server.metric('store_files'),
    regions: await server.metric('regions'),
  }
}

/** Of a server that is started and stopped, killed under puts, and started again. */
async function served(
  gigabytes: number,
  { store, backups }: Folders,
  rows: number,
): Promise<Point['figures']> {
  forgetPages(store)
  let server = await SizeServer.start(store)
  const figures: Record<string, number> = {
    'start after a stop, ms': server.startMs,
    'resident MiB after the start': mebibytes(server.startedBytes),
    ...(await coldGets(server, rows)),
    ...(await warmGets(server, rows)),
    ...(await scanned(server.store)),
    ...(await indexes(server, gigabytes)),
    'resident MiB after reads': mebibytes(server.child.residentBytes()),
    ...(await sustainedPuts(server, rows)),
    'resident MiB after puts': mebibytes(server.child.residentBytes()),
  }
  note('before the kill', figures)
  await server.stop('SIGKILL')
  server = await SizeServer.start(store)
  figures['start after a kill, ms'] = server.startMs
  figures['resident MiB after that start'] = mebibytes(server.startedBytes)
  await quiet(server, QUIET_SECONDS_MAX)
  Object.assign(figures, await kept(server, backups), await split(server))
  await quiet(server, QUIET_SECONDS_MAX)
  await server.stop('SIGTERM')
  figures['MiB on disk'] = diskMiB(store)
  return { ...figures, ...(await checked(store)) }
}

export const bySize: Series = {
  name: 'size',
  grows: 'GB in one store',
  strips: [
    { figure: 'start after a stop, ms', title: 'start after a stop until the first get, ms' },
    { figure: 'start after a kill, ms', title: 'start after kill -9 under puts until the first get, ms' },
    { figure: 'resident MiB after reads', title: 'resident MiB after reads' },
    { figure: 'p99 of a get from the cache, ms', title: 'p99 of a get from the cache, ms, 16 connections' },
    { figure: 'MB put a second in process', title: 'MB put a second, with compactions, in process' },
    {
      figure: 'bytes written to the disk for each put',
      title: 'bytes written to the disk for each byte put',
    },
    { figure: 'longest batch, ms', title: 'longest batch of 1 MB, ms' },
    { figure: 'puts, times LevelDB', title: "puts in process, times LevelDB's" },
    { figure: 'gets all over the store, times LevelDB', title: "gets all over the store, times LevelDB's" },
  ],
  async run(tell, { sizes }) {
    const folder = mkdtempSync(join(tmpdir(), 'tidegate-sizes-'))
    const remove = (): void => rmSync(folder, { recursive: true, force: true })
    // Also where a signal ends the process: its children are killed first.
    process.once('exit', remove)
    const folders = {
      store: join(folder, 'store'),
      level: join(folder, 'level'),
      backups: join(folder, 'backups'),
    }
    const had: Progress = { rows: 0, levelRows: 0 }
    const points: Point[] = []
    try {
      for (const [at, gigabytes] of sizes.entries()) {
        const fill = await filled(gigabytes, folders, had)
        // Room for the compactions of the split, which are as large as the region.
        if (at === sizes.length - 1) rmSync(folders.level, { recursive: true })
        const figures = { ...fill, ...(await served(gigabytes, folders, had.rows)) }
        points.push({ step: gigabytes, figures })
        tell(points.at(-1)!)
      }
    } finally {
      remove()
      process.off('exit', remove)
    }
    return points
  },
  judge: (points) => [
    atMost(points, 'start after a stop, ms', START_MS_MAX),
    atMost(points, 'start after a kill, ms', START_MS_MAX),
    atMost(points, 'indexes kept in memory, part of the data', INDEX_PART_MAX),
    flat(points, 'p99 of a get from the cache, ms'),
    flat(points, 'processor time of a get from the cache, us'),
    notGrowing(points, 'longest batch, ms', STALL_MS),
    notGrowing(points, 'longest batch over RPC, ms', STALL_MS),
    notGrowing(points, 'split, ms', SPLIT_MS),
    notGrowing(points, 'snapshot, ms', SNAPSHOT_MS),
  ],
}
