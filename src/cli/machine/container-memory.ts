/** The memory that a container leaves to this process: the limits of its Linux control groups (cgroups), of version 1 or 2. */

import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** Returns a file's text; undefined where it cannot be read. */
export type ReadText = (path: string) => string | undefined

/** A mounted hierarchy of groups, and the group in it that the process is in. */
interface Hierarchy {
  readonly version: 1 | 2
  readonly mountPoint: string
  /** The folder of the group, within the mount point or the same. */
  readonly folder: string
}

/** Returns the lowest limit of the process's groups and those around them, in bytes; undefined where none has any. */
export function containerMemoryMax(read: ReadText = readText): number | undefined {
  const limits: number[] = []
  for (const { version, mountPoint, folder } of hierarchies(read)) {
    for (let at = folder; ; at = posix.dirname(at)) {
      limits.push(...limitsOf(version, at, read))
      if (at === mountPoint || at === '/') break
    }
  }
  return limits.length === 0 ? undefined : Math.min(...limits)
}

function limitsOf(version: 1 | 2, folder: string, read: ReadText): number[] {
  const text = (name: string): string | undefined => read(posix.join(folder, name))
  // A group's memory.stat also has the limit of groups around it that a container does not see.
  const hierarchical = /^hierarchical_memory_limit (\d+)$/m
  const texts =
    version === 2
      ? [text('memory.max'), text('memory.high')]
      : [text('memory.limit_in_bytes'), hierarchical.exec(text('memory.stat') ?? '')?.[1]]
  // "max" is no limit. Version 1 has a number for that which is larger than any machine's memory.
  return texts.flatMap((each) => (each !== undefined && /^\d+\s*$/.test(each) ? [Number(each)] : []))
}

function hierarchies(read: ReadText): Hierarchy[] {
  const groups = read('/proc/self/cgroup') ?? ''
  const found: Hierarchy[] = []
  for (const line of groups.split('\n')) {
    const [, id, controllers, path] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? []
    if (path === undefined) continue
    const isV2 = id === '0' && controllers === ''
    if (!isV2 && !controllers!.split(',').includes('memory')) continue
    const version = isV2 ? 2 : 1
    const { root, mountPoint } = mountOf(version, read)
    found.push({ version, mountPoint, folder: folderOf(path, root, mountPoint) })
  }
  return found
}

/** A container sees its own group as the root of the mount, and may have a path that lies outside of it. */
function folderOf(path: string, root: string, mountPoint: string): string {
  const isWithin = root === '/' || path === root || path.startsWith(`${root}/`)
  const rest = isWithin ? path.slice(root === '/' ? 0 : root.length) : ''
  const folder = posix.join(mountPoint, rest)
  return folder === mountPoint || folder.startsWith(`${mountPoint}/`) ? folder.replace(/\/$/, '') : mountPoint
}

/** `root`: the group that is seen at the mount point. */
function mountOf(version: 1 | 2, read: ReadText): { readonly root: string; readonly mountPoint: string } {
  for (const line of (read('/proc/self/mountinfo') ?? '').split('\n')) {
    const [mount = '', system = ''] = line.split(' - ')
    const [type, , options = ''] = system.split(' ')
    const [, , , root, mountPoint] = mount.split(' ')
    if (root === undefined || mountPoint === undefined) continue
    if (version === 2 ? type === 'cgroup2' : type === 'cgroup' && options.split(',').includes('memory'))
      return { root, mountPoint }
  }
  return { root: '/', mountPoint: version === 2 ? '/sys/fs/cgroup' : '/sys/fs/cgroup/memory' }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
