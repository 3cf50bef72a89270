/** A store whose log is archived while it is open. */

import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Archiver } from '../../backup/archive/archiver.ts'
import type { AdvertisedStore } from '../../gateway/catalog/advertised.ts'
import { readMetrics } from '../../model/metric.ts'
import { withFacets } from '../../store/decorate.ts'
import { RateLimit } from '../../transfer/rate-limit.ts'
import type { ArchiveSettings } from '../settings/archive-options.ts'

/** The time that the end of the store waits for the last of its log. */
const STOP_MS = 4000

/** In the folder of a store: the path of the folder of backups that it was archived in. */
const KNOWN = 'archive.known'

/** `directory`: of the store. */
export async function archivedStore(
  store: AdvertisedStore,
  { folder, everyMs, keepBytesMax, bytesPerSecond }: ArchiveSettings,
  directory: string,
  logger: Logger,
): Promise<AdvertisedStore> {
  const known = join(directory, KNOWN)
  const archiver = new Archiver({
    streams: store.upkeep.logStreams!,
    backups: store.upkeep.backups!,
    clusterId: () => store.clusterId(),
    // Other machines may have a folder of the same name.
    server: `native:${resolve(directory)} on ${hostname()}`,
    isKnown: (await textOf(known)) === `${folder}\n`,
    onKnown: () => writeFile(known, `${folder}\n`),
    folder,
    everyMs,
    keepBytesMax,
    limiter: () => {
      const rate = new RateLimit(
        bytesPerSecond,
        () => performance.now(),
        (ms) => pause(ms),
      )
      return (bytes) => rate.take(bytes)
    },
    now: () => Date.now(),
    random: Math.random,
    pause: pauseUntil,
    log: (level, message) => logger[level]({ archive: folder }, message),
  })
  const metrics = archiver.state.metrics()
  archiver.start()
  return {
    ...withFacets(store, { catalog: store.catalog }),
    metrics: async () => {
      await archiver.look()
      return [...(await store.metrics()), ...readMetrics(metrics)]
    },
    troubles: async () => {
      await archiver.look()
      return [...(await store.troubles()), ...archiver.state.troubles()]
    },
    close: async () => {
      const hasEnded = await archiver.stop(STOP_MS)
      await store.close()
      if (!hasEnded) endAtOnceAtExit()
    },
  }
}

/** At its exit Node waits for the file work that is under way: a folder that does not answer would keep the process for ever. */
function endAtOnceAtExit(): void {
  process.once('exit', () => process.kill(process.pid, 'SIGKILL'))
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}

async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal })
  } catch {
    // The server stops.
  }
}
