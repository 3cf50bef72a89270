/** What is written over memory that was given back, where tests look for who reads it still. No length or type that a cell can have. */
export const POISON = 0xdb
