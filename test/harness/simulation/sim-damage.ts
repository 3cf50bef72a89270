import { SIM_DIRECTORY, type SimWorld } from './sim-world.ts'

/**
 * Flips, cuts, removes or doubles one file of a store that is not open; a flip in a file with several names may show under all
 * of them. `mayBeSilent`: nothing can show that there was more.
 */
export function damageSomeFile({ fileSystem, random }: SimWorld): { mayBeSilent: boolean; what: string } {
  const known = fileSystem.paths().filter((path) => !path.startsWith(`${SIM_DIRECTORY}/lost+found/`))
  const part = random.of(['/manifest', '/wal/', '/data/', '/data/', '/snapshots/'])
  const some = known.filter((path) => path.startsWith(`${SIM_DIRECTORY}${part}`))
  const path = random.of(some.length > 0 ? some : known)
  const lastLog = known.findLast((candidate) => candidate.startsWith(`${SIM_DIRECTORY}/wal/`))
  const bytes = Buffer.from(fileSystem.bytesOf(path))
  const at = random.below(Math.max(1, bytes.length))
  const kind = random.of(['flip', 'cut', 'missing', 'strange'] as const)
  if (kind === 'flip' && bytes.length > 0) bytes[at]! ^= 1 << random.below(8)
  if (kind === 'flip' && random.chance(0.5)) bytes.copy(fileSystem.bytesOf(path))
  else if (kind === 'missing') fileSystem.remove(path)
  else
    fileSystem.replace(kind === 'strange' ? `${path}9` : path, kind === 'cut' ? bytes.subarray(0, at) : bytes)
  return { mayBeSilent: kind === 'cut' && path === lastLog, what: `${kind} of ${path} at byte ${at}` }
}
