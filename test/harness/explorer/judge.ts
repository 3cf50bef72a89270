/** Opens a store on a disk as a crash has left it, and says what is wrong: lost, invented, refused, set aside or reported without a reason. */

import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import type { Store } from '../../../src/store/store.ts'
import type { CrashableFileSystem } from '../simulation/crashable-file-system.ts'
import { modelOf, textOf } from './explored-model.ts'
import { put } from './explored-steps.ts'
import { type Look, observed } from './observed-file-system.ts'

export const DIRECTORY = '/s'
/** Logs of a few records, so that a history has several. */
const OPTIONS: Partial<NativeOptions> = {
  wal: { logBytesMax: 700, syncEveryBytes: 300 },
  blockCacheBytes: 1 << 20,
}
/** It goes on at each look, so that a put that follows a delete is newer. */
let now = 1_700_000_000_000
const CLOCK = { now: (): number => now++ }
/** The end of a log that a crash has cut looks as a damaged one: this is said of both. */
const MAY_BE_TOLD = /a crash or a power loss came in the middle of a write/

/** `told`: gets what the store says at level warn or error. */
export function openExplored(fileSystem: CrashableFileSystem, told: string[]): Promise<Store> {
  return openNativeStore({
    directory: DIRECTORY,
    fileSystem,
    clock: CLOCK,
    random: () => 0.5,
    options: OPTIONS,
    log: (level, message) => {
      if (level === 'error' || level === 'warn') told.push(`${level}: ${message}`)
    },
  })
}

/** `allowed`: texts of the models that the store may come to. `look` sees the changes of the start. Returns what is wrong. */
export async function judge(
  disk: CrashableFileSystem,
  allowed: ReadonlySet<string>,
  look: Look = () => undefined,
): Promise<string[]> {
  const wrong: string[] = []
  try {
    await open(disk, allowed, look, wrong)
  } catch (error) {
    wrong.push(`it fails: ${String(error)}`)
  }
  return wrong
}

async function open(
  disk: CrashableFileSystem,
  allowed: ReadonlySet<string>,
  look: Look,
  wrong: string[],
): Promise<void> {
  const told: string[] = []
  let isOpen = false
  const seen: Look = (change) => void (!isOpen && look(change))
  const store = await openExplored(observed(disk, seen), told).catch((error: unknown) => {
    wrong.push(`the start is refused: ${String(error)}`)
  })
  isOpen = true
  if (store === undefined) return
  const model = await modelOf(store)
  const found = textOf(model)
  if (!allowed.has(found)) wrong.push(`the store has\n${found}\nand may have\n${[...allowed].join('\nor\n')}`)
  wrong.push(...told.filter((line) => !MAY_BE_TOLD.test(line)))
  wrong.push(...disk.paths().filter((path) => path.startsWith(`${DIRECTORY}/lost+found`)))
  if (wrong.length === 0 && model.tables['t'] !== undefined && !model.disabled.includes('t'))
    await checkTakesWrites(store, disk, found, wrong)
}

/** What a start has served must not be lost later, nor what it has taken. */
async function checkTakesWrites(
  store: Store,
  disk: CrashableFileSystem,
  before: string,
  wrong: string[],
): Promise<void> {
  const added = put('zz', 'added', 'FSYNC_WAL')
  await added.run(store)
  const expected = textOf(added.apply(await modelOf(store)))
  const again = await openExplored(
    disk.powerLost(() => 0),
    [],
  ).catch((error: unknown) => {
    wrong.push(`the start after another power loss is refused: ${String(error)}`)
  })
  if (again === undefined) return
  const found = textOf(await modelOf(again))
  if (found !== expected) wrong.push(`it had\n${before}\nand after another write and power loss\n${found}`)
}
