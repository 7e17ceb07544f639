// The words that the glossary replaces are found in names and in texts.
import { replacedIn } from '../../scripts/check-words.ts'

test('a replaced word is found in the name of a file, whatever it holds', () => {
  expect(replacedIn('test/bot/mailbox-world.ts', '')).toEqual([{ file: 'test/bot/mailbox-world.ts', word: 'mailbox' }])
})

test('a replaced word is found within a name and in a text, with its line', () => {
  const text = 'const fine = 1\nexport type LaneName = string\n// What is told\n'
  expect(replacedIn('src/a.ts', text)).toEqual([
    { file: 'src/a.ts', line: 2, word: 'lane' },
    { file: 'src/a.ts', line: 3, word: 'told' },
  ])
})

test('words that only begin like a replaced one are left alone', () => {
  expect(replacedIn('src/a.ts', 'roommate, laned, deskjet')).toEqual([])
})

test('of a test only the titles are read', () => {
  const text = "const lane = 1\ntest('it names the lane', () => {})\ntest.each([1])(\n  'judged %s', () => {})\n"
  expect(replacedIn('test/a.test.ts', text)).toEqual([
    { file: 'test/a.test.ts', line: 2, word: 'lane' },
    { file: 'test/a.test.ts', line: 3, word: 'judged' },
  ])
})
