// The pages of the documentation: their names, their texts, and their commands: the lines of shell fences, and code in
// sentences that begins with a program.
import { readdirSync, readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

/** The text of a file, by its path from the project's root. */
export function readText(path: string): string {
  return readFileSync(new URL(path, root), 'utf8')
}

/** A page of docs/. */
export function readPage(name: string): string {
  return readText(`docs/${name}`)
}

/** Paths of the pages of docs/. */
export const docsPages: readonly string[] = readdirSync(new URL('docs/', root))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
export const rootPages: readonly string[] = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']

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
