import { UsageError } from '../failures/usage-error.ts'

export function parseFlag(key: string, text = ''): boolean {
  const word = text.toLowerCase()
  if (word === 'true') return true
  if (word === 'false' || word === '') return false
  throw new UsageError(`${key} = "${text}" is invalid. It must be true or false.`, key)
}
