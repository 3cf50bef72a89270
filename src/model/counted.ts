/** A number of things, in words: `1 error`, `2 errors`. `many`: for nouns whose plural takes no s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
