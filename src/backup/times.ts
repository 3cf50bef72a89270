/** Times of servers, as UTC to the second. */

/** For people. `at`: milliseconds since 1970. */
export function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** For names of files, in the order of their times: `20261130T034440Z`. */
export function timeName(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}
