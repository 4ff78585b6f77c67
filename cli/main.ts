#!/usr/bin/env node
console.log("iii-directory");
