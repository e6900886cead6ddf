// The values of `statesurf-bench run encode-json`, written by encoding/json.
package main

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"time"
)

// Fields in the order of their names, which is the order of sorted keys.
type item struct {
	ID     int      `json:"id"`
	IsDone bool     `json:"isDone"`
	Tags   []string `json:"tags"`
	Title  string   `json:"title"`
}

type todoList struct {
	Items []item `json:"items"`
}

type place struct {
	IsOpen    bool    `json:"isOpen"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Name      string  `json:"name"`
}

func measure(label string, batch int, value any) {
	var figures []float64
	size := 0
	for repetition := 0; repetition < 18; repetition++ {
		start := time.Now()
		for index := 0; index < batch; index++ {
			octets, err := json.Marshal(value)
			if err != nil {
				panic(err)
			}
			size = len(octets)
		}
		if repetition >= 3 {
			figures = append(figures, time.Since(start).Seconds()*1e6/float64(batch))
		}
	}
	sort.Float64s(figures)
	fmt.Printf("encode-go-%-13s %9.2f us  %d octets\n", label, figures[7], size)
}

func main() {
	list := todoList{}
	for id := 0; id < 72; id++ {
		list.Items = append(list.Items, item{id, false, []string{"a", "b"}, "buy milk, bread and butter"})
	}
	measure("5k", 100, list)
	var integers []int
	var texts []string
	for n := 0; n < 100; n++ {
		integers = append(integers, n*7919)
		texts = append(texts, fmt.Sprintf("%d %sab", n+100, strings.Repeat("lorem ipsum, ", 7)))
	}
	measure("integers", 1000, integers)
	measure("strings", 500, texts)
	var places []place
	for n := 0; n < 1000; n++ {
		places = append(places, place{n%2 == 0, float64(n) / 16, 11.25, fmt.Sprintf("p%d", n)})
	}
	measure("structs", 20, places)
}
