// The commands of a page: the lines of its shell fences, and code in sentences that begins with a program.

const fence = /^ *```(?:sh|bash|shell|console)\n(.*?)^ *```$/gms
const program = /^(?:bellhop|node bin\/\S+|npm|npx|openssl|curl|docker|kubectl|systemctl) \S/

const linesOf = (page: string) =>
  [...page.matchAll(fence)].flatMap(([, lines = '']) =>
    lines.split('\n').map((line) => line.replace(/(^| +)#.*$/, '').trim()),
  )
const oneByOne = (line: string) => line.split(' && ')

/** Commands of its fences, in order, without those that only set a variable. */
export function fencedCommands(page: string): string[] {
  return linesOf(page)
    .filter((line) => line !== '' && !line.startsWith('export '))
    .flatMap(oneByOne)
}

/** Commands in its sentences. */
export function inlineCommands(page: string): string[] {
  const sentences = page.replaceAll(/^ *```.*?^ *```$/gms, '')
  const code = [...sentences.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words.replaceAll(/\s+/g, ' '))
  return code.flatMap((words) => (program.test(words) ? oneByOne(words) : []))
}

/** The variables that its fences set. */
export function settingsIn(page: string): string[] {
  return linesOf(page).flatMap((line) => /^(?:export )?([A-Z_]+)=/.exec(line)?.[1] ?? [])
}
