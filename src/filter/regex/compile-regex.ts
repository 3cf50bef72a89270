import type { Comparator } from '../../model/filter.ts'
import { compileJavaRegex, type JavaRegex } from './java-regex.ts'
import { compileJoniRegex } from './joni-regex.ts'

type RegexComparator = Extract<Comparator, { readonly kind: 'RegexStringComparator' }>

/** Throws ILLEGAL_ARGUMENT for a pattern that the engine refuses. HBase: RegexStringComparator.EngineType. */
export function compileRegex(pattern: string, flags: number, engine: RegexComparator['engine']): JavaRegex {
  return engine === 'JONI' ? compileJoniRegex(pattern, flags) : compileJavaRegex(pattern, flags)
}
