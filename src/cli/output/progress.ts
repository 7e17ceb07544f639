// A progress line on a terminal; nothing elsewhere.
const WIDTH = 24

export function createProgress(stream: { isTTY?: boolean; write(text: string): unknown } = process.stderr) {
  const write = (text: string) => stream.isTTY === true && stream.write(text)
  return {
    show(text: string, share: number): void {
      const done = Math.round(WIDTH * Math.min(1, Math.max(0, share)))
      write(`\r\u001b[K[${'█'.repeat(done)}${' '.repeat(WIDTH - done)}] ${text}`)
    },
    /** Removes the line. */
    end: () => void write('\r\u001b[K'),
  }
}
