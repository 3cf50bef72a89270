/** Lines of HBase's shell that are programs in Ruby, which Tidegate's shell refuses, as the commands that they stand for. */

/** A line that needs the names of regions, and the table whose first two it merges. */
export const MERGE_PROGRAM: RegExp = /^merge_region @shell.*valueOf\('(\w+)'\)/

/** `encodedNames`: of the regions that the line is about, if it is about any. */
export function commandsOf(line: string, encodedNames: readonly string[]): readonly string[] {
  if (MERGE_PROGRAM.test(line)) {
    const names = encodedNames.slice(0, 2).map((name) => `'${name}'`)
    return [`merge_region ${names.join(', ')}`]
  }
  const tables = /^\[(.*)\]\.each \{/.exec(line)?.[1]?.split(', ')
  return tables?.flatMap((table) => [`disable ${table}`, `drop ${table}`]) ?? [line]
}

/** Steps of a recording that Tidegate's shell does not have: the programs, and its own version. */
export function isOfHBaseAlone(step: string): boolean {
  return /^version|^merge_region @|\.each \{/.test(step)
}
