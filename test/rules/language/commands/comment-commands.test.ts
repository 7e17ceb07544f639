// Commands in notes: only a line of a top-level paragraph is one.
import { type Node, Parser } from 'commonmark'
import fc from 'fast-check'
import {
  argumentsExpression,
  commandLines,
  commandsIn,
  LONGEST_NOTE,
  paragraphLines,
  readCommand,
} from '../../../../src/rules/language/commands/comment-commands.ts'
import type { Issue } from '../../../../src/rules/language/values/shapes.ts'
import { anyText } from '../../../any-text.ts'

const COMMAND = '@bellhop merge'
const found = (text: string) => commandsIn(text, 'bellhop')

describe('a line of a top-level paragraph is a command', () => {
  test.each([
    ['@bellhop merge', ['merge']],
    ['@Bellhop MERGE', ['merge']],
    ['Thanks!\n@bellhop merge please', ['merge']],
    ['Thanks!  \n@bellhop merge', ['merge']],
    ['Thanks!\\\n@bellhop merge', ['merge']],
    ['   @bellhop   why?', ['why']],
    ['@bellhop merge\n@bellhop why\n@bellhop merge', ['merge', 'why']],
    ['@bellhop merge\r\n', ['merge']],
    ['Thanks!\r\n\r\n@bellhop merge\r\n', ['merge']],
    ['@bellhop merge *now*, `please`', ['merge']],
    ['# Title\n@bellhop merge', ['merge']],
    ['- item\n\n@bellhop merge', ['merge']],
    ['> quoted\n\n@bellhop merge', ['merge']],
    ['````\n```\n@bellhop merge\n````\n@bellhop why', ['why']],
    ['```\ncode\n```\n@bellhop merge', ['merge']],
    ['>>>\n@bellhop merge\n>>>\n@bellhop why', ['why']],
    ['>>>\n> @bellhop merge\n>>>\n\n@bellhop why\n\n>>> [!note]\n@bellhop merge\n>>>', ['why']],
    ['```\n>>>\n```\n@bellhop merge', ['merge']],
    ['@bellhop merge\n\n<details>\n\n@bellhop why', ['merge']],
    ['~bug\n@bellhop merge', ['merge']],
    // The name alone asks for help.
    ['@bellhop', ['help']],
    ['@bellhop\nmerge', ['help']],
    ['@bellhop help me', ['help']],
  ])('%j', (text, commands) => {
    expect(found(text)).toEqual(commands)
  })
})

test.each([
  ['@bellhop Backport  stable-1.2 ', ['backport stable-1.2']],
  ['@bellhop backport stable-1.2\n> @bellhop backport stable-1.3\n\n@bellhop why', ['backport stable-1.2', 'why']],
  ['@bellhop backport `stable-1.2`', ['backport \uFFFC']],
  ['@bellhop backport *stable*-1.2', ['backport \uFFFC\uFFFC\uFFFC-1.2']],
])('the text behind a command is that of its line, without code and emphasis: %j', (text, lines) => {
  expect(commandLines(text, 'bellhop')).toEqual(lines)
})

describe('the arguments of a command', () => {
  const read = (value: unknown) => {
    const issues: Issue[] = []
    const command = readCommand(value, [], issues)
    return { command, issues: issues.map(({ expected }) => expected) }
  }
  const fits = (takes: unknown, line: string) => {
    const { command } = read({ word: 'backport', takes })
    if (command === undefined) throw new Error('no command')
    return new RegExp(argumentsExpression(command)?.replace('(?m)', '') ?? '', 'm').exec(line)?.groups
  }
  test.each([
    [{ branch: 'stable-*' }, 'backport stable-1.2', { branch: 'stable-1.2' }],
    [{ branch: ['main', 'stable-*'], size: ['s', 'm'] }, 'backport main m', { branch: 'main', size: 'm' }],
    [{ branch: 'stable-*' }, 'backport nonsense\nbackport stable-2', { branch: 'stable-2' }],
    [{ branch: 'v1.2' }, 'backport v1x2', undefined],
    [{ branch: 'stable-*' }, 'backport stable-', undefined],
    [{ branch: 'stable-*' }, 'backport stable-1 and more', undefined],
    [{ branch: 'stable-*' }, 'backport stable-../../main', undefined],
    [{ branch: '*' }, 'backport \uFFFC', undefined],
    [{ branch: '*' }, 'backport a\u0007b', undefined],
  ])('%j of the line %j', (takes, line, groups) => {
    expect(fits(takes, line)).toEqual(groups)
  })
  test.each([
    [{ word: 'backport', takes: {} }, 'a mapping of 1 to 5 arguments, such as branch: "stable-*"'],
    [{ word: 'backport', takes: { Branch: 'a' } }, 'a name of small letters, digits and _'],
    [{ word: 'backport', takes: { branch: 'a b' } }, expect.stringContaining('a glob such as stable-*')],
    [{ word: 'backport', takes: { branch: [] } }, 'a list of 1 to 50'],
    [{ word: 'backport', other: 1 }, expect.stringContaining('word, takes')],
    [{ takes: { branch: 'a' } }, 'a word of small letters, digits, - and _'],
  ])('%j is refused', (value, expected) => {
    expect(read(value)).toEqual({ command: undefined, issues: [expected] })
  })
})

test.each([
  ['another name', '@bellhop2 merge'],
  ['a word with more behind it', '@bellhop merge/now'],
  ['a word that goes on as code', '@bellhop merge`now`'],
  ['in the middle of a line', 'please @bellhop merge'],
  ['after a space that is not of ASCII', '\u00a0@bellhop merge\n@other merge'],
  ['after a character that is not shown', '\u200b@bellhop merge\n@other merge'],
  ['after a byte order mark', '\ufeff@bellhop merge\n\n@other merge'],
  ['escaped', '\\@bellhop merge'],
  ['written with an entity', '&#64;bellhop merge\n\n@bellhop2'],
  ['written with a named entity', '&commat;bellhop merge\n\n@bellhop2'],
])('no command is %s', (_, text) => {
  expect(found(text)).toEqual([])
})

describe('no command is inside', () => {
  test.each([
    ['a quote', '> @bellhop merge'],
    ['a lazy continuation of a quote', '> Quoted:\n@bellhop merge'],
    ['a lazy continuation of a quote in a list', '- > Quoted:\n@bellhop merge'],
    ['a list', '- Listed:\n\n  @bellhop merge'],
    ['a lazy continuation of a list', '1. Listed:\n@bellhop merge'],
    ['indented code', '    @bellhop merge'],
    ['code indented by a tab', '\t@bellhop merge'],
    ['inline code', '`@bellhop merge`'],
    ['inline code of several lines', 'Run `this:\n@bellhop merge\nand that`.'],
    ['fenced code', '```\n@bellhop merge\n```'],
    ['fenced code of a list', '- ```\n  @bellhop merge\n  ```\n- Run:\n  ~~~\n  @bellhop merge\n  ~~~'],
    ['fenced code that is not closed', '~~~ yaml\n@bellhop merge'],
    ['fenced code that another fence does not close', '```\n~~~\n@bellhop merge'],
    ['an HTML comment', '<!--\n@bellhop merge\n-->'],
    ['an HTML comment that is not closed', '<!-- draft\n\n@bellhop merge'],
    ['an HTML comment in a paragraph', 'Draft <!--\n@bellhop merge\n-->'],
    ['<pre>', '<pre>\n@bellhop merge\n\n@bellhop merge\n</pre>'],
    ['a <div> that hides', '<div hidden>\n@bellhop merge\n</div>'],
    ['a paragraph in <details>', '<details><summary>Log</summary>\n\n@bellhop merge\n\n</details>'],
    ['an element that a paragraph opens', 'Text <code>\n\n@bellhop merge'],
    ['an element that a quote opens', '> Text <code>\n\n@bellhop merge'],
    ['a paragraph with HTML', '<span hidden>\n@bellhop merge\n</span>'],
    ['emphasis', '*Quoted:\n@bellhop merge\nend*'],
    ['a link', '[Quoted:\n@bellhop merge](https://example.com)'],
    ['the title of a link', '[a]: https://example.com "Title\n@bellhop merge\nend"'],
    ['struck out text', '~~Not this:\n@bellhop merge\nend~~'],
    ['text that single tildes strike out', '~Not this:\n@bellhop merge\nend~'],
    ['a heading', '# @bellhop merge'],
    ['an underlined heading', '@bellhop merge\n==='],
    ['a heading underlined by dashes', '@bellhop merge\n---'],
    ['a table', '| a |\n|---|\n@bellhop merge'],
    ['a table without outer pipes', 'a | b\n:-|-:\n@bellhop merge'],
    ['a footnote', '[^1]: Quoted:\n@bellhop merge'],
    ['a footnote of several paragraphs', 'See.[^1]\n\n[^1]: Quoted:\n\n  @bellhop merge'],
    ['a description', 'Term\n\n: Quoted:\n@bellhop merge'],
    ['a later paragraph of a description', 'Term\n: Quoted\n\n  @bellhop merge'],
    ['math', '$$\n@bellhop merge\n$$'],
    ['math of several paragraphs', '$$\nx\n\n@bellhop merge\n\n$$'],
    ['math in a line', 'With $$x\n@bellhop merge\ny$$'],
    ['math between single dollar signs', 'With $x\n@bellhop merge\ny$'],
    ['math code', 'With $`x\n@bellhop merge\ny`$'],
    ['front matter', '---\n@bellhop merge\n\ntitle: x\n---'],
    ['front matter of TOML', '+++\n@bellhop merge\n\n+++'],
    ['front matter behind its coding', '# coding: utf-8\n---\n\n@bellhop merge\n\n---'],
  ])('%s', (_, text) => {
    expect(found(text)).toEqual([])
  })
})

test.each([
  ['', '>>>\n@bellhop merge\n>>>'],
  ['of several paragraphs', '>>>\nQuoted:\n\n@bellhop merge\n\n>>>'],
  ['of a Windows client', '>>>\r\n@bellhop merge\r\n>>>\r\n'],
  ['that is not closed', '>>>\nQuoted.\n\n@bellhop merge'],
  ['that a longer line does not close', '>>>\na\n>>>>\n@bellhop merge'],
  ['that a shorter line does not close', '>>>>\na\n>>>\n@bellhop merge\n>>>>'],
  ['with another inside', '>>>>\n>>>\na\n>>>\n\n@bellhop merge\n>>>>'],
  ['that is an alert', '>>> [!warning] Careful\na\n\n@bellhop merge\n>>>'],
  ['with code that has such a line', '>>>\n```\n>>>\n```\n@bellhop merge\n>>>'],
  ['whose code a such line may end or not', '>>>\n```\n>>>\n```\n>>>\n@bellhop merge'],
  ['with HTML that has such a line', '>>>\n<pre>\n>>>\n</pre>\n@bellhop merge'],
  ['that may begin inside of an ordinary one', '> a\n>>>\n@bellhop merge\n>>>\n@bellhop merge'],
  ['that some releases do not see, as it is indented', '  >>>\na\n>>>\n@bellhop merge\n>>>'],
])('no command is in a quote between lines of >>> %s', (_, text) => {
  expect(found(text)).toEqual([])
})

test('a longer note than is parsed holds no command', () => {
  expect(found(COMMAND.padEnd(LONGEST_NOTE, ' '))).toEqual(['merge'])
  expect(found(COMMAND.padEnd(LONGEST_NOTE + 1, ' '))).toEqual([])
})

test.each(['[', '![', '<', '<!--', '`', '*a ', '>', '> ', '- ', '~', '\\', '&', '|', '[^a]: ', '<b>', '\n', '\u0000'])(
  'a note full of %j is read, and a command behind it is found only where CommonMark has it',
  (piece) => {
    const full = piece.repeat(Math.floor((LONGEST_NOTE - 20) / piece.length))
    for (const text of [`${full}\n${COMMAND}`, `${full}\n\n${COMMAND}`])
      if (found(text).length > 0) expect(isTopLevel(text)).toBe(true)
  },
)

const parser = new Parser()

/** Whether, by CommonMark’s reference parser, a top-level paragraph has the command at the start of a line, as text. */
function isTopLevel(text: string): boolean {
  const walker = parser.parse(text).walker()
  for (let step = walker.next(); step !== null; step = walker.next()) {
    const { node, entering } = step
    if (
      entering &&
      node.type === 'paragraph' &&
      node.parent?.type === 'document' &&
      linesOf(node).some((line) => /^@bellhop merge\b/.test(line))
    )
      return true
  }
  return false
}

function linesOf(paragraph: Node): string[] {
  const lines = ['']
  for (let child = paragraph.firstChild; child !== null; child = child.next) {
    if (child.type === 'softbreak' || child.type === 'linebreak') lines.push('')
    else lines.push(`${lines.pop()}${child.type === 'text' ? child.literal : '\uFFFC'}`)
  }
  return lines
}

// What Markdown is made of, so that random texts come to blocks of all kinds.
const pieces = fc.constantFrom(
  ...['\n', '\n', '\n\n', ' ', '  ', '    ', '\t', '\r\n', '> ', '>>>\n', '- ', '1. ', '* ', '[a]: b'],
  `\n${COMMAND}\n`,
  ...'> >>> # === --- ``` ~~~ ` `` * ** _ ~ [ ] ]( ) " < > <div> </div> <pre> </pre> <!-- -->'.split(' '),
  ...'<? ?> <!A <![CDATA[ ]]> <b> <b \\ &#64; @ | |-| : $$ a word'.split(' '),
)
const markdown = fc.array(pieces, { maxLength: 40 }).map((all) => all.join(''))

describe('whatever stands around it', () => {
  test('a command is found only where CommonMark has a line of a top-level paragraph', () => {
    let commands = 0
    fc.assert(
      fc.property(markdown, markdown, fc.constantFrom('', '\n', '\n\n'), (before, after, gap) => {
        const text = `${before}${gap}${COMMAND}\n${after}`
        if (found(text).length === 0) return
        commands += 1
        expect(isTopLevel(text)).toBe(true)
      }),
      { numRuns: 800 },
    )
    expect(commands).toBeGreaterThan(30)
  })

  test('a command is found in no quote, list, code or HTML that wraps it', () => {
    const wraps = fc.constantFrom<(text: string) => string>(
      (text) => text.replace(/^/gm, '> '),
      (text) => `- item\n  ${text.replace(/\n/g, '\n  ')}`,
      (text) => text.replace(/^/gm, '    '),
      (text) => `<details>\n\n${text}\n\n</details>`,
      (text) => `<!-- ${text.replaceAll('-->', '')} -->`,
    )
    fc.assert(
      fc.property(markdown, wraps, (inner, wrap) => {
        expect(found(wrap(`${inner.replaceAll('\r', '')}\n\n${COMMAND}\n`))).toEqual([])
      }),
    )
  })

  test('any text is read, and never finds a word that is not in it', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        for (const word of found(`${text}\n@bellhop merge`)) expect(`${text} merge`.toLowerCase()).toContain(word)
      }),
    )
  })
})

test('a word of small letters, digits, - and _ is a command', () => {
  const issues: Issue[] = []
  expect([readCommand('release-notes_2', [], issues), issues]).toEqual([{ word: 'release-notes_2', takes: [] }, []])
})

test.each(['why', 'Merge', 'two words', '', '9lives', 'a'.repeat(41), 7, null])(
  '%j is refused at its place',
  (value) => {
    const issues: Issue[] = []
    expect(readCommand(value, ['command'], issues)).toBeUndefined()
    expect(issues).toMatchObject([{ path: ['command'] }])
  },
)

test.each([
  ['', []],
  ['one\ntwo\r\nthree\rfour', ['one', 'two', 'three', 'four']],
  ['one  \n  two\\\nthree', ['one', 'two', 'three']],
  ['one\n\n\ttwo\n\nthree', ['one', 'three']],
  ['one\n        two', ['one', 'two']],
  ['# one\ntwo', ['two']],
  ['one\n***\ntwo', ['one', 'two']],
])('of %j', (markdown, lines) => {
  expect(paragraphLines(markdown)).toEqual(lines)
})

test.each([
  ['code', 'a `b` c', 'a \uFFFC c'],
  ['an escape', '\\@b', '\uFFFCb'],
  ['an entity', '&amp;b', '\uFFFCb'],
  ['a link', '[b](c)d', '\uFFFC\uFFFC\uFFFCd'],
  ['emphasis', 'a *b*', 'a \uFFFC\uFFFC\uFFFC'],
])('%s is no plain text', (_, markdown, line) => {
  expect(paragraphLines(markdown)).toEqual([line])
})
