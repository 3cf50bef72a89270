import { existsSync } from 'node:fs'

/** The folder with package.json: the same one whether this runs from the sources or from dist/. */
export function packageRoot(): URL {
  let folder = new URL('.', import.meta.url)
  while (!existsSync(new URL('package.json', folder))) {
    const parent = new URL('..', folder)
    if (parent.href === folder.href) throw new Error(`no package.json above ${import.meta.url}`)
    folder = parent
  }
  return folder
}
