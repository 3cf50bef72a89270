/**
 * An id of a new store file, which no other file has: its number is of no other file of the store, and of stores that are copies of one
 * another, which take the same numbers, the time distinguishes the files.
 */
export function newFileId(number: number, createTime: number): string {
  return `${number}-${createTime.toString(36)}`
}
