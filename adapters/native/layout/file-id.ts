/**
 * An id that no other store file has. The number distinguishes the files of one store. The time distinguishes those of two copies of a
 * store, which use the same numbers.
 */
export function newFileId(number: number, createTime: number): string {
  return `${number}-${createTime.toString(36)}`
}
