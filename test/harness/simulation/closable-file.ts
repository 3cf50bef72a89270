import type { OpenFile } from '../../../adapters/native/platform/file-system.ts'

/**
 * The file, whose uses fail once it is closed, a second `close` among them. A real descriptor may be of another file by then, which would be
 * read, written or closed in its place.
 */
export function closable(file: OpenFile): OpenFile {
  let isClosed = false
  const open = (): OpenFile => {
    if (isClosed) throw new Error(`EBADF: bad file descriptor, ${file.path}`)
    return file
  }
  return {
    path: file.path,
    append: (buffers) => open().append(buffers),
    read: (target, offset, length, position) => open().read(target, offset, length, position),
    size: () => open().size(),
    truncate: (bytes) => open().truncate(bytes),
    sync: async () => {
      await open().sync()
      open()
    },
    close: () => {
      open().close()
      isClosed = true
    },
  }
}
