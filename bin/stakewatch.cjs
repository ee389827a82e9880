#!/usr/bin/env node
// Where an installed stakewatch begins. The program itself does not even load in an old Node.js, so this file says which
// one it needs: it is written in what every Node.js from 12 on can read.

'use strict'

const needed = require('../package.json').engines.node.replace('>=', '')

if (parseInt(process.version.slice(1), 10) < parseInt(needed, 10)) {
  process.stderr.write('stakewatch needs Node.js ' + needed + ' or later, and this is ' + process.version + '\n')
  process.exitCode = 1
} else {
  void import('../dist/main.js')
}
