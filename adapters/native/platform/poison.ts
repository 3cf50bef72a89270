/** Byte that tests have written over released memory, so that a late reader shows: no cell has such a length or type. */
export const POISON = 0xdb
