import type { ReadType } from '../../model/query.ts'

/** Scan.ReadType, by number; the first is the server's own choice. PERSISTED: never renumber. */
export const READ_TYPES: readonly (ReadType | undefined)[] = [undefined, 'stream', 'pread']
