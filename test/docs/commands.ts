// The commands that a page gives to type: the lines of its shell fences, and what stands in backticks and begins with a program.

const fence = /^ *```(?:sh|bash|shell|console)\n(.*?)^ *```$/gms
const program = /^(?:bellhop|node bin\/\S+|npm|npx|openssl|curl|docker|kubectl|systemctl) \S/

const linesOf = (page: string) =>
  [...page.matchAll(fence)].flatMap(([, lines = '']) => lines.split('\n').map((line) => line.replace(/(^| +)#.*$/, '').trim()))
const oneByOne = (line: string) => line.split(' && ')

/** Of its fences, in their order, without those that only set a variable. */
export function fencedCommands(page: string): string[] {
  return linesOf(page)
    .filter((line) => line !== '' && !line.startsWith('export '))
    .flatMap(oneByOne)
}

/** Of its sentences. */
export function inlineCommands(page: string): string[] {
  const sentences = page.replaceAll(/^ *```.*?^ *```$/gms, '')
  return [...sentences.matchAll(/`([^`]+)`/g)].flatMap(([, words = '']) => (program.test(words) ? oneByOne(words) : []))
}

/** The variables that its fences set. */
export function settingsIn(page: string): string[] {
  return linesOf(page).flatMap((line) => /^(?:export )?([A-Z_]+)=/.exec(line)?.[1] ?? [])
}
