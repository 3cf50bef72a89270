/** The memory that a container leaves to this process. */

import { posix } from 'node:path'
import { type ControlGroup, controlGroups, type ReadText, readText } from './control-groups.ts'

/** Returns the lowest limit of the process's groups and those around them, in bytes; undefined where none has any. */
export function containerMemoryMax(read: ReadText = readText): number | undefined {
  const limits = controlGroups('memory', read).flatMap((group) => limitsOf(group, read))
  return limits.length === 0 ? undefined : Math.min(...limits)
}

function limitsOf({ version, folder }: ControlGroup, read: ReadText): number[] {
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
