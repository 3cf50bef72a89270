import type { Engine } from '../engine/engine.ts'
import { takeFoundDamage } from './found-damage.ts'

/** Looks for files of the manifest, the log and the regions that are gone or changed. A look that fails is logged and stops no other. */
export async function verifyFiles(engine: Engine): Promise<void> {
  const { catalogLog, wal, storeFiles, tables, log } = engine
  const lookAt = async (name: string, look: () => unknown): Promise<void> => {
    try {
      await look()
    } catch (error) {
      log('warn', `the files of the ${name} could not be looked at`, { error })
    }
  }
  // The manifest first: it shows whether the folder is still this store's. If not, the log must not be mended here.
  await lookAt('manifest', () => catalogLog.verify())
  await lookAt('write-ahead log', () => wal.verify())
  await lookAt('regions', () => storeFiles.tolerant.reopen(tables.regions.values()))
  await lookAt('regions', () => storeFiles.watch.look(tables.regions))
  await lookAt('last check', () => takeFoundDamage(engine))
}
