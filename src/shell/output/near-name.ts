/** The name that a misspelt one was meant to be. */

/** The most similar name, with one error in a word of up to four letters, and two in a longer one; undefined: there is none. */
export function nearName(word: string, names: Iterable<string>): string | undefined {
  let [best, least] = [undefined as string | undefined, errorsMax(word) + 1]
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= least) continue
    const errors = errorsBetween(word, name)
    if (errors < least) [best, least] = [name, errors]
  }
  return best
}

function errorsMax(word: string): number {
  return word.length <= 4 ? 1 : 2
}

/** Letters that are missing, too many or others, and neighbours that are swapped: the distance of Damerau and Levenshtein. */
function errorsBetween(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let errors = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        errors = Math.min(errors, before[j - 2]! + 1)
      next.push(errors)
    }
    ;[before, row] = [row, next]
  }
  return row[b.length]!
}
