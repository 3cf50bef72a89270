/** The file by which a process holds a store's folder. */
export const LOCK_NAME = 'LOCK'

/** True for the lock, and for what a process makes beside it: its socket, a draft of the lock, and the lock of one that has ended. */
export function isOfLock(name: string): boolean {
  return name === LOCK_NAME || name.startsWith(`${LOCK_NAME}.`)
}
